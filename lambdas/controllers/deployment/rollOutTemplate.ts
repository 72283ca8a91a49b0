import type { Rollout } from './Rollout.ts';
import { rolloutRecreate } from './rolloutRecreate.ts';
import { rolloutRolling } from './rolloutRolling.ts';
import type { RolloutStep, Scaling } from './Step.ts';

/** Step: rolls out the template by the Deployment's strategy, and cleans up the history once the stored status says that the rollout is complete. Throws for a strategy of unknown type. */
export function rollOutTemplate(rollout: Rollout): RolloutStep {
  const scaling = scaleByStrategy(rollout);
  if (scaling.create !== undefined) return { write: 'rollout', ...scaling, status: 'counts' };
  const cleanUp = scaling.resizes.length === 0 && rollout.progress.wasComplete;
  return { write: 'rollout', ...scaling, cleanUp, status: 'progress' };
}

function scaleByStrategy(rollout: Rollout): Scaling {
  const type = rollout.deployment.spec?.strategy?.type;
  if (type === 'Recreate') return rolloutRecreate(rollout);
  if (type === 'RollingUpdate') return rolloutRolling(rollout);
  throw new Error(`unexpected deployment strategy type: ${type ?? ''}`);
}
