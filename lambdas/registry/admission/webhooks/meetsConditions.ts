import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import type { AdmissionAttributes } from '../dynamic/AdmissionAttributes.ts';
import { AccessAnswers } from '../policies/AccessAnswers.ts';
import { admissionRequest } from '../policies/admissionRequest.ts';
import type { Condition } from '../policies/Condition.ts';
import { evaluateMatchConditions, type MatchResult } from '../policies/matchConditions.ts';
import type { Match } from '../policies/matchRequest.ts';
import type { ReviewedObjects } from './admissionReview.ts';
import type { Webhook } from './Webhook.ts';

/** A request as a webhook would be asked about it. */
interface MatchedRequest {
  readonly attributes: AdmissionAttributes;
  readonly match: Match;
  readonly objects: ReviewedObjects;
}

/** Evaluates the match conditions of a webhook. Its failure policy decides about an expression that fails. */
export async function meetsConditions(
  asker: { namespace(name: string): Promise<KubernetesObject | undefined> },
  { failurePolicy }: Webhook,
  conditions: readonly Condition[],
  { attributes, match, objects }: MatchedRequest,
): Promise<MatchResult> {
  const { namespace, user, allows, budget } = attributes;
  const namespaceObject = namespace === '' ? undefined : await asker.namespace(namespace);
  const input = { ...objects, request: admissionRequest(attributes, match), namespaceObject, budget };
  return await new AccessAnswers(user, allows).evaluate((authorizer) =>
    evaluateMatchConditions(conditions, { ...input, authorizer }, failurePolicy),
  );
}
