#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A job of tests/lab/run, as rigs/LAB.md has it: one shard of the recordings on the bench of this node.
#SBATCH --gres=bench:shuffler:1
#SBATCH --requeue
#SBATCH --open-mode=append
set -u
job=${JOB:-$SLURM_ARRAY_JOB_ID}
# A bench that died before the run began has left no journal: that was no attempt. One that was judged is not
# played again, though its job was killed after that.
attempt=1
journal=$LAB/journals/$job-$SLURM_ARRAY_TASK_ID.1.journal
while [ -e "$journal" ]; do
    ! grep -q '"kind":"end","verdict":"\(pass\|fail\)"' "$journal" ||
        exec "$DEALPROOF" history import --store "$STORE" "$journal"
    attempt=$((attempt + 1))
    journal=$LAB/journals/$job-$SLURM_ARRAY_TASK_ID.$attempt.journal
done

status=0
srun --quiet "$DEALPROOF" run --rig "$LAB/benches/$SLURMD_NODENAME.yaml" --journal "$journal" \
    --shard "$SLURM_ARRAY_TASK_ID/$SHARDS" --job "$job" --attempt "$attempt" \
    --history="$STORE" "$LAB/recordings" || status=$?
# 3 a device, 4 the bench, 5 no answer, 137 killed: nothing is proved of the recording, and another bench plays it.
case $status in
3 | 4 | 5 | 137) [ "${SLURM_RESTART_COUNT:-0}" -ge 8 ] || scontrol requeue "$SLURM_JOB_ID" ;;
esac
exit $status
