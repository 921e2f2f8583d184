// Ways to compute the mean and the quantiles of every cell and window, on vectors as wide as the compiler flags allow.
//
// network.h is generated: summarize() reads a vector of each member, `pitch` floats apart, and writes mean and
// quantiles.
#pragma once

#include <immintrin.h>
#include <stddef.h>

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

enum { WIDEST = 16 };

typedef struct {
  int first, days;
  float scale;
} Window;

typedef struct {
  int members, days, cells, count;
  // Cells in a row of the layout with the cell fastest, and of its results: a multiple of the widest vector.
  size_t pitch;
  const Window *windows;
  const float *by_cell;  // member, cell, day
  const float *by_day;   // member, day, cell
  float *scratch;
} Job;

static size_t padded(size_t n) { return (n + WIDEST - 1) / WIDEST * WIDEST; }

static void add_rows(const float *from, size_t pitch, const Window *window, int cells, float *to) {
  const vec scale = SPLAT(window->scale);
  int day = 0;
  // Seven rows at a time, the rest one by one.
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

// Raw days: the network reads the input itself, whose order does not matter.
static void in_place(const Job *job, int tile, float *const *out) {
  (void)tile;
  const size_t length = (size_t)job->cells * job->days;
  for (size_t i = 0; i < length; i += LANES) summarize(job->by_cell + i, length, out, i);
}
