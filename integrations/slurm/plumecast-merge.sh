#!/bin/bash
#SBATCH --job-name=plumecast-merge
#SBATCH --requeue
#SBATCH --open-mode=append
#
# Merges the shards of an array when all its tasks have ended; its argument is the --out of the batch. submit.sh starts
# it. It may be run again after it was stopped. Exit code 0 says that all is merged, 3 that all is but outputs of inputs
# that shards could not read, which it names, 1 that nothing is: shards are missing, which it names, too.
#
#   sbatch --dependency=afterany:ARRAY_JOB plumecast-merge.sh results

set -eu

read -r -a command <<<"${PLUMECAST_COMMAND:-plumecast}"
exec "${command[@]}" merge "$@"
