# Statistics over members by R: lines of its name, what it is, and numbers.
# Arguments: a file of float64 (member, case), members, cases, a limit, probabilities.
args <- commandArgs(trailingOnly = TRUE)
members <- as.integer(args[2])
cases <- as.integer(args[3])
limit <- as.numeric(args[4])
p <- as.numeric(strsplit(args[5], ",")[[1]])
x <- matrix(readBin(args[1], "double", members * cases), nrow = cases)
say <- function(what, values) cat("R\t", what, "\t", paste(sprintf("%.17g", values), collapse = " "), "\n", sep = "")
say("mean", rowMeans(x, na.rm = TRUE))
say("spread", apply(x, 1, sd, na.rm = TRUE))
say("share", apply(x, 1, function(v) mean(v > limit, na.rm = TRUE)))
for (type in 1:9) {
  found <- apply(x, 1, quantile, probs = p, type = type, na.rm = TRUE, names = FALSE)
  say(paste("type", type), t(found))
}
