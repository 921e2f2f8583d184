// The workloads in C, one thread: window sums in float32, then a sorting network over the members, one output a lane.
//
//   reference INPUT RESULTS MEMBERS DAYS CELLS RULE TURNS FIRST:DAYS...
//
// INPUT holds float32 by member, cell, day. Every formulation is timed from values in memory to arrays of results that are there
// already. Prints the median nanoseconds per output of each as JSON, beside those of reading the input once and those of the
// fastest with new arrays of results; writes what the fastest has computed (float32 by statistic, then as "order" says) to RESULTS.
//
// network.h is generated: summarize() reads a vector of each member, `pitch` floats apart, and writes mean and quantiles.
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__AVX512F__)
typedef __m512 vec;
#define LANES 16
#define LOAD _mm512_loadu_ps
#define STORE _mm512_storeu_ps
#define MIN _mm512_min_ps
#define MAX _mm512_max_ps
#define SPLAT _mm512_set1_ps
#elif defined(__AVX2__)
typedef __m256 vec;
#define LANES 8
#define LOAD _mm256_loadu_ps
#define STORE _mm256_storeu_ps
#define MIN _mm256_min_ps
#define MAX _mm256_max_ps
#define SPLAT _mm256_set1_ps
#else
typedef __m128 vec;
#define LANES 4
#define LOAD _mm_loadu_ps
#define STORE _mm_storeu_ps
#define MIN _mm_min_ps
#define MAX _mm_max_ps
#define SPLAT _mm_set1_ps
#endif

#include "network.h"

enum { STATISTICS = 6, WIDEST = 16, MOST_TURNS = 64, LARGEST_TILE = 8192 };

typedef struct {
  int first, days;
  float scale;
} Window;

typedef struct {
  int members, days, cells, count;
  // Cells in a row of the layout with the cell fastest, and of its results: whole vectors.
  size_t pitch;
  const Window *windows;
  const float *by_cell;  // member, cell, day
  const float *by_day;   // member, day, cell
  float *scratch;
} Job;

typedef struct {
  const char *name;
  const char *order;
  int tile;
  void (*run)(const Job *job, int tile, float *const *out);
  double nanoseconds[MOST_TURNS];
} Formulation;

static size_t whole_vectors(size_t n) { return (n + WIDEST - 1) / WIDEST * WIDEST; }

// The sums of four weeks that follow each other: two vectors a week, then a transposed addition.
static __m128 four_weeks(const float *x) {
  const __m128 three = _mm_castsi128_ps(_mm_setr_epi32(0, -1, -1, -1));
  __m128 week[4];
  for (int k = 0; k < 4; k++) {
    week[k] = _mm_add_ps(_mm_loadu_ps(x + 7 * k), _mm_and_ps(three, _mm_loadu_ps(x + 7 * k + 3)));
  }
  return _mm_hadd_ps(_mm_hadd_ps(week[0], week[1]), _mm_hadd_ps(week[2], week[3]));
}

static float sum_of(const float *x, int n) {
  __m128 a = _mm_setzero_ps(), b = a;
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    a = _mm_add_ps(a, _mm_loadu_ps(x + i));
    b = _mm_add_ps(b, _mm_loadu_ps(x + i + 4));
  }
  float lanes[4], sum = 0;
  _mm_storeu_ps(lanes, _mm_add_ps(a, b));
  for (; i < n; i++) sum += x[i];
  return sum + (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

static void windows_of_cell(const Job *job, const float *x, float *to) {
  const Window *windows = job->windows;
  int w = 0;
  for (; w + 4 <= job->count && windows[w].days == 7 && windows[w + 3].days == 7; w += 4) {
    _mm_storeu_ps(to + w, _mm_mul_ps(_mm_set1_ps(windows[w].scale), four_weeks(x + windows[w].first)));
  }
  for (; w < job->count; w++) to[w] = windows[w].scale * sum_of(x + windows[w].first, windows[w].days);
}

// Day fastest: the windows of a few cells are a row of the scratch for each member, then the network runs along the rows.
static void day_fastest(const Job *job, int tile, float *const *out) {
  const int block = tile / job->count > 0 ? tile / job->count : 1;
  const size_t row = whole_vectors((size_t)block * job->count);
  for (int cell = 0; cell < job->cells; cell += block) {
    const int here = job->cells - cell < block ? job->cells - cell : block;
    for (int m = 0; m < job->members; m++) {
      const float *from = job->by_cell + ((size_t)m * job->cells + cell) * job->days;
      float *to = job->scratch + m * row;
      for (int c = 0; c < here; c++) windows_of_cell(job, from + (size_t)c * job->days, to + c * job->count);
    }
    // Lanes beyond the last output of a block are written anew by the next one, or lie beyond the end.
    const size_t at = (size_t)cell * job->count;
    for (int i = 0; i < here * job->count; i += LANES) summarize(job->scratch + i, row, out, at + i);
  }
}

static void add_rows(const float *from, size_t pitch, const Window *window, int cells, float *to) {
  const vec scale = SPLAT(window->scale);
  int day = 0;
  // Seven rows at a time, and what is left one by one.
  for (; day + 7 <= window->days; day += 7, from += 7 * pitch) {
    for (int i = 0; i < cells; i += LANES) {
      const vec a = LOAD(from + i) + LOAD(from + pitch + i);
      const vec b = LOAD(from + 2 * pitch + i) + LOAD(from + 3 * pitch + i);
      const vec c = LOAD(from + 4 * pitch + i) + LOAD(from + 5 * pitch + i);
      vec sum = a + b + (c + LOAD(from + 6 * pitch + i));
      if (day > 0) sum += LOAD(to + i);
      STORE(to + i, sum);
    }
  }
  for (; day < window->days; day++, from += pitch) {
    for (int i = 0; i < cells; i += LANES) {
      vec sum = LOAD(from + i);
      if (day > 0) sum += LOAD(to + i);
      STORE(to + i, sum);
    }
  }
  if (window->scale != 1) {
    for (int i = 0; i < cells; i += LANES) STORE(to + i, scale * LOAD(to + i));
  }
}

// Cell fastest: a row of the scratch is one window of many cells.
static void cell_fastest(const Job *job, int tile, float *const *out) {
  for (int cell = 0; cell < (int)job->pitch; cell += tile) {
    const int here = (int)job->pitch - cell < tile ? (int)job->pitch - cell : tile;
    for (int w = 0; w < job->count; w++) {
      const Window *window = &job->windows[w];
      for (int m = 0; m < job->members; m++) {
        const float *from = job->by_day + ((size_t)m * job->days + window->first) * job->pitch + cell;
        add_rows(from, job->pitch, window, here, job->scratch + (size_t)m * tile);
      }
      for (int i = 0; i < here; i += LANES) summarize(job->scratch + i, tile, out, w * job->pitch + cell + i);
    }
  }
}

// Raw days: the network reads the input itself, in whatever order it is.
static void in_place(const Job *job, int tile, float *const *out) {
  (void)tile;
  const size_t length = (size_t)job->cells * job->days;
  for (size_t i = 0; i < length; i += LANES) summarize(job->by_cell + i, length, out, i);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

static void *room(size_t floats) {
  void *address = aligned_alloc(64, whole_vectors(floats + WIDEST) * sizeof(float));
  if (address == NULL) {
    fprintf(stderr, "no memory for %zu floats\n", floats);
    exit(1);
  }
  return address;
}

static double time_of(const Formulation *formulation, const Job *job, float *const *out) {
  const double from = now();
  formulation->run(job, formulation->tile, out);
  return now() - from;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, int count) {
  qsort(values, count, sizeof(double), ascending);
  return values[count / 2];
}

static float read_once(const float *x, size_t length) {
  vec sums[8];
  for (int k = 0; k < 8; k++) sums[k] = SPLAT(0);
  for (size_t i = 0; i + 8 * LANES <= length; i += 8 * LANES) {
    for (int k = 0; k < 8; k++) sums[k] += LOAD(x + i + k * LANES);
  }
  float lanes[LANES];
  STORE(lanes, sums[0] + sums[1] + sums[2] + sums[3] + (sums[4] + sums[5] + sums[6] + sums[7]));
  return lanes[0];
}

static void transpose(const Job *job, float *to) {
  for (int m = 0; m < job->members; m++) {
    for (int block = 0; block < job->cells; block += 32) {
      const int end = block + 32 < job->cells ? block + 32 : job->cells;
      for (int day = 0; day < job->days; day++) {
        for (int cell = block; cell < end; cell++) {
          to[((size_t)m * job->days + day) * job->pitch + cell] = job->by_cell[((size_t)m * job->cells + cell) * job->days + day];
        }
      }
    }
  }
}

static void write_results(const char *path, const Job *job, int is_by_window, float *const *out) {
  FILE *file = fopen(path, "wb");
  for (int k = 0; k < STATISTICS; k++) {
    const size_t rows = is_by_window ? job->count : job->cells;
    const size_t length = is_by_window ? job->cells : job->count;
    const size_t pitch = is_by_window ? job->pitch : length;
    for (size_t row = 0; row < rows; row++) fwrite(out[k] + row * pitch, sizeof(float), length, file);
  }
  fclose(file);
}

static float *read_input(const char *path, size_t length) {
  float *values = room(length);
  FILE *file = fopen(path, "rb");
  if (file == NULL || fread(values, sizeof(float), length, file) != length) {
    fprintf(stderr, "%s: not %zu float32 values\n", path, length);
    exit(1);
  }
  fclose(file);
  return values;
}

int main(int argc, char **argv) {
  Job job = {.members = atoi(argv[3]), .days = atoi(argv[4]), .cells = atoi(argv[5]), .count = argc - 8};
  const int is_mean = strcmp(argv[6], "mean") == 0;
  const int turns = atoi(argv[7]) < MOST_TURNS ? atoi(argv[7]) : MOST_TURNS;
  Window *windows = calloc(job.count, sizeof(Window));
  for (int w = 0; w < job.count; w++) {
    sscanf(argv[8 + w], "%d:%d", &windows[w].first, &windows[w].days);
    windows[w].scale = is_mean ? 1.0f / windows[w].days : 1;
  }
  job.windows = windows;
  job.pitch = whole_vectors(job.cells);
  const size_t length = (size_t)job.members * job.cells * job.days;
  job.by_cell = read_input(argv[1], length);
  float *by_day = room((size_t)job.members * job.days * job.pitch);
  memset(by_day, 0, (size_t)job.members * job.days * job.pitch * sizeof(float));
  transpose(&job, by_day);
  job.by_day = by_day;
  job.scratch = room((size_t)job.members * whole_vectors(LARGEST_TILE + WIDEST));

  const int is_raw = job.count == job.days;
  Formulation all[16];
  int formulations = 0;
  const int tiles[] = {512, 1024, 2048, 4096, LARGEST_TILE};
  for (int t = 0; t < 5; t++) {
    if (!is_raw) all[formulations++] = (Formulation){.name = "day fastest", .order = "cell-first", .tile = tiles[t], .run = day_fastest};
    all[formulations++] = (Formulation){.name = "cell fastest", .order = "window-first", .tile = tiles[t], .run = cell_fastest};
  }
  if (is_raw) all[formulations++] = (Formulation){.name = "in place", .order = "cell-first", .run = in_place};

  const size_t outputs = (size_t)job.cells * job.count;
  const size_t space = job.pitch * job.count;
  float *out[STATISTICS];
  for (int k = 0; k < STATISTICS; k++) memset(out[k] = room(space), 0, space * sizeof(float));
  double reading[MOST_TURNS], fresh[MOST_TURNS];
  volatile float sink = 0;
  // Turns warm up once before they count.
  for (int turn = -1; turn < turns; turn++) {
    const int place = turn < 0 ? 0 : turn;
    const double from = now();
    sink += read_once(job.by_cell, length);
    reading[place] = (now() - from) / outputs;
    for (int f = 0; f < formulations; f++) all[f].nanoseconds[place] = time_of(&all[f], &job, out) / outputs;
  }
  Formulation *best = all;
  for (int f = 0; f < formulations; f++) {
    if (median(all[f].nanoseconds, turns) < median(best->nanoseconds, turns)) best = &all[f];
  }
  for (int turn = 0; turn < turns; turn++) {
    const double from = now();
    float *new[STATISTICS];
    for (int k = 0; k < STATISTICS; k++) new[k] = room(space);
    best->run(&job, best->tile, new);
    fresh[turn] = (now() - from) / outputs;
    for (int k = 0; k < STATISTICS; k++) free(new[k]);
  }

  printf("{\"readOnce\":%.3f,\"intoNewArrays\":%.3f,\"best\":%d,\"formulations\":[", median(reading, turns), median(fresh, turns),
         (int)(best - all));
  for (int f = 0; f < formulations; f++) {
    printf("%s{\"name\":\"%s", f > 0 ? "," : "", all[f].name);
    if (all[f].tile > 0) printf(", %d results at a time", all[f].tile);
    printf("\",\"order\":\"%s\",\"nanoseconds\":%.3f}", all[f].order, median(all[f].nanoseconds, turns));
  }
  printf("]}\n");
  best->run(&job, best->tile, out);
  write_results(argv[2], &job, best->order[0] == 'w', out);
  return 0;
}
