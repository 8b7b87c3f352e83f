#!/usr/bin/env bash
# The public checks of every step, in the log and in the job's summary. Fails where one does not pass.
set -u
cd "$(dirname "$0")/.."
summary=${GITHUB_STEP_SUMMARY:-/dev/null}
status=0
{
  echo "## Self-check 自查: EXERCISE"
  echo
  echo "Public checks only; hidden checks count too. 这里只有公开检查；评分时还有隐藏检查。"
  echo
  echo "| step 步骤 | |"
  echo "|---|---|"
} >>"$summary"
for step in STEPS; do
  if python -m selfcheck "$step"; then mark="✓"; else mark="✗" status=1; fi
  echo "| $step | $mark |" >>"$summary"
done
exit "$status"
