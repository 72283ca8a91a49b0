import type { MutatingWebhook } from 'kubernetes-types/admissionregistration/v1.js';
import { isDns1123Subdomain } from '../../objects/nameFormats.ts';
import { failurePolicy, matchPolicy, ruleWithOperations } from './admissionRules.ts';
import { all, type Check, distinct, enumOf, fields, ifPresent, items, nonEmptyText, present } from './checks.ts';
import { invalid, invalidEach } from './fieldErrors.ts';
import { fieldsOf, textOf } from './fieldsOf.ts';
import { matchConditions } from './matchConditions.ts';
import { reviewVersions } from './reviewVersions.ts';
import { validateLabelSelector } from './validateLabels.ts';
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

const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];
const selector: Check = (value, path) => validateLabelSelector(value, path);

function webhooks(own: Readonly<Record<string, Check>>): Check {
  const webhook = fields({
    name: qualifiedDomain,
    rules: items(ruleWithOperations),
    failurePolicy,
    matchPolicy,
    sideEffects: present(`must specify one of ${SIDE_EFFECTS.join(', ')}`, enumOf(...SIDE_EFFECTS)),
    timeoutSeconds: timeout,
    namespaceSelector: ifPresent(selector),
    objectSelector: ifPresent(selector),
    ...own,
    clientConfig: webhookClientConfig,
    matchConditions: matchConditions(),
    admissionReviewVersions: reviewVersions('must specify one of v1, v1beta1'),
  });
  // Names that are missing are refused already.
  return all(
    items(webhook),
    distinct((item) => textOf(fieldsOf<MutatingWebhook>(item).name) || item, '.name'),
  );
}

/** Checks the webhooks of a MutatingWebhookConfiguration. */
export const mutatingWebhooks: Check = webhooks({ reinvocationPolicy: enumOf('Never', 'IfNeeded') });

/** Checks the webhooks of a ValidatingWebhookConfiguration. */
export const validatingWebhooks: Check = webhooks({});
