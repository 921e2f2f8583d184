// Ways to compute the mean and the quantiles of every cell and window.
//
// network.h is generated: summarize() reads a vector of each member, `pitch` floats apart, and writes mean and quantiles.
#pragma once

#include <stddef.h>

#include "vectors.h"

#include "network.h"

enum { WIDEST = 16 };

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
