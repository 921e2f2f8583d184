// Vectors of float32, as wide as what the compiler is told to use.
#pragma once

#include <immintrin.h>

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
