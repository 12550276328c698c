/*
 * The five indicators of indicators.ts by TA-Lib. Reads the number of bars and the columns high, low and close from a
 * file. Prints the last values; then, for each line on standard input with a number of passes, the seconds of one pass.
 * Each pass allocates new columns for its results.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <ta-lib/ta_libc.h>

static double *high, *low, *close_;
static int bars;
static double last[5];

static double *column(void) { return malloc(bars * sizeof(double)); }

static void pass(void) {
  int begin, count, end = bars - 1;
  double *rsi = column(), *macd = column(), *signal = column(), *histogram = column();
  double *atr = column(), *adx = column(), *upper = column(), *middle = column(), *lower = column();
  TA_RSI(0, end, close_, 14, &begin, &count, rsi);
  last[0] = rsi[count - 1];
  TA_MACD(0, end, close_, 12, 26, 9, &begin, &count, macd, signal, histogram);
  last[1] = histogram[count - 1];
  TA_ATR(0, end, high, low, close_, 14, &begin, &count, atr);
  last[2] = atr[count - 1];
  TA_ADX(0, end, high, low, close_, 14, &begin, &count, adx);
  last[3] = adx[count - 1];
  TA_BBANDS(0, end, close_, 20, 2, 2, TA_MAType_SMA, &begin, &count, upper, middle, lower);
  last[4] = upper[count - 1];
  free(rsi), free(macd), free(signal), free(histogram), free(atr), free(adx), free(upper), free(middle), free(lower);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  double count;
  int passes;
  if (file == NULL || fread(&count, sizeof count, 1, file) != 1) return 1;
  bars = (int)count;
  high = column(), low = column(), close_ = column();
  if (fread(high, 8, bars, file) + fread(low, 8, bars, file) + fread(close_, 8, bars, file) != 3 * (size_t)bars)
    return 1;
  TA_Initialize();
  pass();
  printf("%.9f %.9f %.9f %.9f %.9f\n", last[0], last[1], last[2], last[3], last[4]);
  fflush(stdout);
  while (scanf("%d", &passes) == 1) {
    double started = seconds();
    for (int i = 0; i < passes; i++) pass();
    printf("%.9f\n", (seconds() - started) / passes);
    fflush(stdout);
  }
  return 0;
}
