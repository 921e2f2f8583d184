#!/bin/bash
#
# Submits a batch as a job array of N shards, and a job that merges them when all have ended. Prints the numbers of both
# jobs. Options of sbatch for the array, such as a partition, go into the environment variable SBATCH_OPTIONS.
#
#   ./submit.sh N OUT [arguments of plumecast batch]
#   SBATCH_OPTIONS="--cpus-per-task=4 --mem=4G" ./submit.sh 8 results runs/ --variable precipitation --on-error continue

set -eu

if [ $# -lt 3 ] || ! [[ $1 =~ ^[1-9][0-9]*$ ]]; then
  echo "usage: $0 NUMBER_OF_SHARDS OUT [arguments of plumecast batch without --out and --shard]" >&2
  exit 2
fi
shards=$1
out=$2
shift 2
here=$(dirname "$(realpath "$0")")
read -r -a options <<<"${SBATCH_OPTIONS:-}"

array=$(sbatch --parsable --array="1-$shards" ${options[@]+"${options[@]}"} "$here/plumecast-array.sh" "$@" --out "$out")
# A task where some inputs failed counts as failed, so afterok would not do. The merge itself sees whether all have ended.
merge=$(sbatch --parsable --dependency="afterany:$array" "$here/plumecast-merge.sh" "$out")
echo "array $array, merge $merge"
