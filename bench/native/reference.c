// The workloads in C, one thread: window sums in float32, then a sorting network over the members, one output a lane.
//
//   reference INPUT RESULTS MEMBERS DAYS CELLS RULE TURNS FIRST:DAYS...
//
// INPUT holds float32 by member, cell, day. Every formulation is timed from values in memory to existing arrays of
// results. Prints the median nanoseconds per output of each as JSON, beside those of reading the input once and those
// of the fastest formulation with new arrays of results; writes the results of the fastest (float32 by statistic, then
// as "order" says) to RESULTS.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "formulations.h"

enum { STATISTICS = 6, MAX_TURNS = 64, MAX_TILE = 8192 };

typedef struct {
  const char *name;
  const char *order;
  int tile;
  void (*run)(const Job *job, int tile, float *const *out);
  double nanoseconds[MAX_TURNS];
} Formulation;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

static void *allocate(size_t floats) {
  void *address = aligned_alloc(64, padded(floats + WIDEST) * sizeof(float));
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
        float *row = to + ((size_t)m * job->days + day) * job->pitch;
        const float *from = job->by_cell + (size_t)m * job->cells * job->days + day;
        for (int cell = block; cell < end; cell++) row[cell] = from[(size_t)cell * job->days];
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
  float *values = allocate(length);
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
  const int turns = atoi(argv[7]) < MAX_TURNS ? atoi(argv[7]) : MAX_TURNS;
  Window *windows = calloc(job.count, sizeof(Window));
  for (int w = 0; w < job.count; w++) {
    sscanf(argv[8 + w], "%d:%d", &windows[w].first, &windows[w].days);
    windows[w].scale = is_mean ? 1.0f / windows[w].days : 1;
  }
  job.windows = windows;
  job.pitch = padded(job.cells);
  const size_t length = (size_t)job.members * job.cells * job.days;
  job.by_cell = read_input(argv[1], length);
  float *by_day = allocate((size_t)job.members * job.days * job.pitch);
  memset(by_day, 0, (size_t)job.members * job.days * job.pitch * sizeof(float));
  transpose(&job, by_day);
  job.by_day = by_day;
  job.scratch = allocate((size_t)job.members * padded(MAX_TILE + WIDEST));

  const int is_raw = job.count == job.days;
  Formulation all[16];
  int formulations = 0;
  const int tiles[] = {512, 1024, 2048, 4096, MAX_TILE};
  for (int t = 0; t < 5; t++) {
    const int tile = tiles[t];
    all[formulations++] = (Formulation){"cell fastest", "window-first", tile, cell_fastest, {0}};
  }
  if (is_raw) all[formulations++] = (Formulation){"in place", "cell-first", 0, in_place, {0}};

  const size_t outputs = (size_t)job.cells * job.count;
  const size_t space = job.pitch * job.count;
  float *out[STATISTICS];
  for (int k = 0; k < STATISTICS; k++) memset(out[k] = allocate(space), 0, space * sizeof(float));
  double reading[MAX_TURNS], fresh[MAX_TURNS];
  volatile float sink = 0;
  // The first turn warms up.
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
    for (int k = 0; k < STATISTICS; k++) new[k] = allocate(space);
    best->run(&job, best->tile, new);
    fresh[turn] = (now() - from) / outputs;
    for (int k = 0; k < STATISTICS; k++) free(new[k]);
  }

  printf("{\"readOnce\":%.3f,\"intoNewArrays\":%.3f,", median(reading, turns), median(fresh, turns));
  printf("\"best\":%d,\"formulations\":[", (int)(best - all));
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
