#!/bin/bash
#SBATCH --job-name=plumecast-merge
#SBATCH --requeue
#SBATCH --open-mode=append
#
# Merges the shards of an array when all its tasks have succeeded; its argument is the --out of the batch. submit.sh
# starts it. It may be run again after it was stopped.
#
#   sbatch --dependency=afterok:ARRAY_JOB plumecast-merge.sh results

set -eu

read -r -a command <<<"${PLUMECAST_COMMAND:-plumecast}"
exec "${command[@]}" merge "$@"
