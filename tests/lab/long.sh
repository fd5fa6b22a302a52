#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A job of tests/lab/run that plays for hours: long.sh JOURNAL
#SBATCH --gres=bench:shuffler:1
srun --quiet "$DEALPROOF" run --rig "$LAB/benches/$SLURMD_NODENAME.yaml" --journal "$1" --repeat 100000 \
    "$LAB/recordings/0001.shoe"
