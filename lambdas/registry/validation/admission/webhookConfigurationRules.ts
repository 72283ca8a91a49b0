import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import type { RequestBudget } from '../../../objects/RequestBudget.ts';
import { spendOnCompiling } from '../../admission/policies/spendOnCompiling.ts';
import type { MutatingWebhook } from 'kubernetes-types/admissionregistration/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { jsonEqual } from '../../../objects/json.ts';
import { isDns1123Subdomain } from '../../../objects/nameFormats.ts';
import type { Strategy } from '../../ResourceEntry.ts';
import { failurePolicy, matchPolicy, ruleWithOperations } from './admissionRules.ts';
import { all, type Check, enumOf, fields, ifPresent, items, nonEmptyText, present } from '../checks.ts';
import { duplicate, invalid, invalidEach } from '../fieldErrors.ts';
import { fieldsOf, itemsOf, textOf, textsOf } from '../fieldsOf.ts';
import { matchConditions } from './matchConditions.ts';
import { hasKnownVersion, reviewVersions } from './reviewVersions.ts';
import { validateLabelSelector } from '../validateLabels.ts';
import { webhookClientConfig } from './webhookClientConfig.ts';

/** The checks of webhook configurations, as upstream's `validateMutatingWebhookConfiguration` and `validateValidatingWebhookConfiguration`. */

const MAX_TIMEOUT_SECONDS = 30;
const LEAST_SEGMENTS = 3;

/** apimachinery's `IsFullyQualifiedName`. */
const qualifiedDomain: Check = nonEmptyText('', (value, path) => {
  const name = textOf(value);
  const errors = invalidEach(path, name, isDns1123Subdomain(name));
  if (errors.length > 0 || name.split('.').length >= LEAST_SEGMENTS) return errors;
  return [invalid(path, name, 'should be a domain with at least three segments separated by dots')];
});

const timeout: Check = (value, path) =>
  typeof value === 'number' && value >= 1 && value <= MAX_TIMEOUT_SECONDS
    ? []
    : [invalid(path, value, 'the timeout value must be between 1 and 30 seconds')];

const NO_SIDE_EFFECTS = ['None', 'NoneOnDryRun'];
const ALL_SIDE_EFFECTS = [...NO_SIDE_EFFECTS, 'Some', 'Unknown'];

type Webhook = ReturnType<typeof itemsOf<MutatingWebhook>>[number];

/** What a changed configuration is held to. What was stored before Kubernetes asked for it may stay. */
interface Strictness {
  readonly noSideEffects: boolean;
  readonly knownVersions: boolean;
  readonly uniqueNames: boolean;
  readonly validSelectors: boolean;
  readonly checksConditions: boolean;
}

const STRICT: Strictness = {
  noSideEffects: true,
  knownVersions: true,
  uniqueNames: true,
  validSelectors: true,
  checksConditions: true,
};

function strictnessAfter(webhooks: readonly Webhook[], old: readonly Webhook[]): Strictness {
  const conditions = (list: readonly Webhook[]) => list.map((one) => ({ conditions: one.matchConditions }));
  const selectors = old.flatMap((one) => [one.namespaceSelector, one.objectSelector]);
  return {
    noSideEffects: old.every((one) => NO_SIDE_EFFECTS.includes(textOf(one.sideEffects))),
    knownVersions: old.every((one) => {
      const versions = textsOf(one.admissionReviewVersions);
      return versions.length === 0 || hasKnownVersion(versions);
    }),
    uniqueNames: new Set(old.map(({ name }) => name)).size === old.length,
    validSelectors: selectors.every((one) => ifPresent(validateLabelSelector)(one, '').length === 0),
    checksConditions: !jsonEqual(conditions(webhooks), conditions(old)),
  };
}

function webhookCheck(own: Readonly<Record<string, Check>>, strict: Strictness): Check {
  const sideEffects = strict.noSideEffects ? NO_SIDE_EFFECTS : ALL_SIDE_EFFECTS;
  const selector: Check = strict.validSelectors ? ifPresent(validateLabelSelector) : () => [];
  return fields({
    name: qualifiedDomain,
    rules: items(ruleWithOperations),
    failurePolicy,
    matchPolicy,
    sideEffects: present(`must specify one of ${sideEffects.join(', ')}`, enumOf(...sideEffects)),
    timeoutSeconds: timeout,
    namespaceSelector: selector,
    objectSelector: selector,
    ...own,
    clientConfig: webhookClientConfig,
    matchConditions: strict.checksConditions ? matchConditions() : () => [],
    admissionReviewVersions: reviewVersions('must specify one of v1, v1beta1', strict.knownVersions),
  });
}

function webhookErrors(value: unknown, check: Check, strict: Strictness): FieldError[] {
  const names = itemsOf<MutatingWebhook>(value).map(({ name }) => textOf(name));
  const withName: Check = (item, path) => {
    const name = textOf(fieldsOf<MutatingWebhook>(item).name);
    const index = Number(/\[(\d+)\]$/.exec(path)?.[1]);
    const isRepeated = strict.uniqueNames && name !== '' && names.indexOf(name) < index;
    return isRepeated ? [duplicate(`${path}.name`, name)] : [];
  };
  return items(all(check, withName))(value, 'webhooks');
}

function spendOnConditions(object: KubernetesObject, budget: RequestBudget): void {
  const webhooks = itemsOf<MutatingWebhook>(object['webhooks']);
  spendOnCompiling(
    budget,
    webhooks.map(({ matchConditions: conditions }) => conditions),
  );
}

/** The rules of a kind of webhook configuration, with the fields that only it has. */
function rulesOf(own: Readonly<Record<string, Check>>): Required<Pick<Strategy, 'validate' | 'validateUpdate'>> {
  const strictCheck = webhookCheck(own, STRICT);
  return {
    validate(object, budget) {
      spendOnConditions(object, budget);
      return webhookErrors(object['webhooks'], strictCheck, STRICT);
    },
    validateUpdate(object, old, budget) {
      spendOnConditions(object, budget);
      const [webhooks, before] = [object, old].map((one) => itemsOf<MutatingWebhook>(one['webhooks']));
      const strict = strictnessAfter(webhooks ?? [], before ?? []);
      return webhookErrors(object['webhooks'], webhookCheck(own, strict), strict);
    },
  };
}

/** The rules of a MutatingWebhookConfiguration. */
export const mutatingWebhooks = rulesOf({ reinvocationPolicy: enumOf('Never', 'IfNeeded') });

/** The rules of a ValidatingWebhookConfiguration. */
export const validatingWebhooks = rulesOf({});
