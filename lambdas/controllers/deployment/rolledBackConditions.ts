import { withCondition, withoutCondition } from '../../objects/deploymentConditions.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { AutoRollback } from './autoRollback.ts';
import type { Conditions } from './status.ts';

/** The condition by which automatic rollback tells of itself; there is none unless it did something, or wanted to. */
const ROLLED_BACK = 'RolledBack';

/** The conditions with what automatic rollback has to say. Pure. */
export function rolledBackConditions(conditions: Conditions, decision: AutoRollback, nowMs: number): Conditions {
  switch (decision.action) {
    case 'wentBack':
    case 'hold': {
      const { message } = decision;
      return withCondition(
        conditions,
        { type: ROLLED_BACK, status: 'True', reason: 'AutoRollback', message },
        formatTime(nowMs),
      );
    }
    case 'stay': {
      const { message } = decision;
      return withCondition(
        conditions,
        { type: ROLLED_BACK, status: 'False', reason: 'NoCompleteRevision', message },
        formatTime(nowMs),
      );
    }
    case 'none':
    case 'forget':
    case 'rollBack':
      return withoutCondition(conditions, ROLLED_BACK);
  }
}
