#!/bin/bash
#SBATCH --job-name=plumecast
#SBATCH --requeue
#SBATCH --signal=B:USR1@60
#SBATCH --open-mode=append
#
# One task of a job array: a shard of a batch. All arguments go to `plumecast batch`; submit.sh starts the array.
#
#   sbatch --array=1-8 plumecast-array.sh runs/ --variable precipitation --granularity weekly --out results
#
# The size of the array is the number of shards, so the array must begin at 1. A task that is stopped or requeued
# continues where it was (--resume) and ends with the same bytes. Some tasks again: --array=2,5 and the environment
# variable PLUMECAST_SHARDS=8.
#
# PLUMECAST_COMMAND   the command, by default plumecast; may have arguments: "npx plumecast"
# PLUMECAST_SHARDS    the number of shards, by default the size of the array

set -u

shards=${PLUMECAST_SHARDS:-${SLURM_ARRAY_TASK_COUNT:?start this script with sbatch --array=1-N}}
if [ -z "${PLUMECAST_SHARDS:-}" ] && [ "${SLURM_ARRAY_TASK_MIN:-1}-${SLURM_ARRAY_TASK_MAX:-$shards}" != "1-$shards" ]; then
  echo "array: is not 1-N; for some shards again, set PLUMECAST_SHARDS to the number of all" >&2
  exit 2
fi
shard=${SLURM_ARRAY_TASK_ID:?start this script with sbatch --array=1-N}

batch=
requeue=
signalled=
# Signals come to this script alone: it passes them on, so that plumecast stops and removes its temporary files.
stop() {
  signalled=yes
  [ -z "$batch" ] || kill -TERM "$batch" 2>/dev/null
}
trap stop TERM INT
trap 'requeue=yes; stop' USR1

read -r -a command <<<"${PLUMECAST_COMMAND:-plumecast}"
"${command[@]}" batch "$@" --shard "$shard/$shards" --resume --quiet &
batch=$!
[ -z "$signalled" ] || stop

wait "$batch"
code=$?
# A signal ends `wait` before plumecast has ended.
while [ -n "$signalled" ]; do
  signalled=
  wait "$batch"
  code=$?
done
# A minute before the time limit Slurm sends USR1: the next run of this task does the rest.
if [ -n "$requeue" ] && [ "$code" -ne 0 ]; then
  exec scontrol requeue "${SLURM_ARRAY_JOB_ID}_$shard"
fi
exit "$code"
