#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Before and after each job: the bench of this node at rest and out of test mode. When that fails Slurm
# drains the node, and a job that was to begin there waits for another one.
lab=$(dirname "$(readlink -f "$0")")
exec "$lab/dealproof" reset --rig "$lab/benches/$SLURMD_NODENAME.yaml" >>"$lab/log/rest.$SLURMD_NODENAME.log" 2>&1
