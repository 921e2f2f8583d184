# The random numbers of s2dv's own tests (tests/testthat/test-RMS.R and test-Corr.R of s2dv 0.0.1): lines of a name and
# numbers, NaN where they take the observation away. Only the pairs whose results its tests state.
say <- function(what, values) cat(what, "\t", paste(sprintf("%.17g", ifelse(is.na(values), NaN, values)), collapse = " "), "\n", sep = "")
set.seed(1)
exp1 <- array(rnorm(120), dim = c(member = 3, sdate = 5, ftime = 2, lon = 1, lat = 4))
set.seed(2)
obs1 <- array(rnorm(80), dim = c(member = 2, sdate = 5, ftime = 2, lon = 1, lat = 4))
set.seed(2)
obs1[floor(runif(10, min = 1, max = 80))] <- NA
for (o in 1:2) for (m in 1:3) {
  say("rmse", exp1[m, , 1, 1, 1])
  say("rmse", obs1[o, , 1, 1, 1])
}
set.seed(1)
exp1 <- array(rnorm(240), dim = c(dataset = 1, member = 2, sdate = 5, ftime = 3, lat = 2, lon = 4))
set.seed(2)
obs1 <- array(rnorm(120), dim = c(dataset = 1, member = 1, sdate = 5, ftime = 3, lat = 2, lon = 4))
set.seed(2)
obs1[floor(runif(10, min = 1, max = 120))] <- NA
for (t in 1:3) for (m in 1:2) {
  say("correlation", exp1[1, m, , t, 1, 1])
  say("correlation", obs1[1, 1, , t, 1, 1])
}
