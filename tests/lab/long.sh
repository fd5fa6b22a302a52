#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A job of tests/lab/run that does not end in its time.
#SBATCH --gres=bench:shuffler:1
srun --quiet "$DEALPROOF" run --rig "$LAB/benches/$SLURMD_NODENAME.yaml" --journal "$LAB/long.journal" --repeat 100000 \
    "$LAB/recordings/0001.shoe"
