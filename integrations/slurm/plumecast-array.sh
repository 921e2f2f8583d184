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
# variable PLUMECAST_SHARDS=8. --workers and --memory are those of the task, unless they are among the arguments.
#
# The exit code is that of plumecast: 3 where some inputs failed (--on-error continue), and plumecast-merge.sh merges
# the others.
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

# What the task has: a worker for each processor, and nine tenths of its MiB, as plumecast is ended where it takes more.
cpus=${SLURM_CPUS_PER_TASK:-${SLURM_CPUS_ON_NODE:-}}
mebibytes=${SLURM_MEM_PER_NODE:-}
if [ -z "$mebibytes" ] && [ -n "${SLURM_MEM_PER_CPU:-}" ]; then
  mebibytes=$((SLURM_MEM_PER_CPU * ${SLURM_CPUS_ON_NODE:-${cpus:-1}}))
fi
# With --mem=0 a task has all of its node, and Slurm says no number.
[ "$mebibytes" != 0 ] || mebibytes=
given() {
  local option=$1 argument
  shift
  for argument; do
    case $argument in "$option" | "$option"=*) return 0 ;; esac
  done
  return 1
}
own=()
if [ -n "$mebibytes" ] && ! given --memory "$@"; then
  own+=(--memory "$((mebibytes * 9 / 10))MiB")
  # The process takes 100 MB, and each worker 128: with less memory there are fewer.
  most=$(((mebibytes * 94 / 100 - 100) / 128))
  [ -z "$cpus" ] || [ "$most" -lt 1 ] || [ "$cpus" -le "$most" ] || cpus=$most
fi
[ -z "$cpus" ] || given --workers "$@" || own+=(--workers "$cpus")

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
"${command[@]}" batch "$@" ${own[@]+"${own[@]}"} --shard "$shard/$shards" --resume --quiet &
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
# A minute before the time limit Slurm sends USR1: the next run of this task does the rest, unless it has ended.
if [ -n "$requeue" ] && [ "$code" -ne 0 ] && [ "$code" -ne 3 ]; then
  exec scontrol requeue "${SLURM_ARRAY_JOB_ID}_$shard"
fi
exit "$code"
