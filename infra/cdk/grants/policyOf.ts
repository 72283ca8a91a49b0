import { PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { FunctionParts } from '../FunctionParts.ts';
import { CONDITIONS } from './conditions.ts';
import type { Grant } from './Grant.ts';
import { type Target, targetArns, type TargetParts } from './targets.ts';

/** Returns a policy that allows what the grants list under the stack's knobs, in one statement for each target. */
export function policyOf(
  grants: readonly Grant[],
  parts: TargetParts & Pick<FunctionParts, 'props' | 'network'>,
): PolicyDocument {
  const actionsOn = new Map<Target, Set<string>>();
  for (const { actions, on, when } of grants) {
    if (when !== undefined && !CONDITIONS[when].holds(parts)) continue;
    actionsOn.set(on, new Set([...(actionsOn.get(on) ?? []), ...actions]));
  }
  const statements = [...actionsOn].map(
    ([target, actions]) => new PolicyStatement({ actions: [...actions], resources: [...targetArns(target, parts)] }),
  );
  return new PolicyDocument({ statements });
}
