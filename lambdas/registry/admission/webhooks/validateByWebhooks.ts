import type { ApiError } from '../../../objects/ApiError.ts';
import type { AdmissionAttributes } from '../dynamic/AdmissionAttributes.ts';
import { askWebhook, matchWebhook, type WebhookAsker } from './askWebhook.ts';
import type { Webhook } from './Webhook.ts';

/** The audit log has, under this and the place among those that are asked, the name of a webhook that could not be asked and lets the request pass. */
const FAILED_OPEN = 'failed-open.validating.webhook.admission.k8s.io/';

/** Asks all validating webhooks that match, at the same time. Returns the refusal of the first of them, by their order. Follows upstream's `validatingDispatcher`. */
export async function validateByWebhooks(
  asker: WebhookAsker,
  webhooks: readonly Webhook[],
  attributes: AdmissionAttributes,
): Promise<ApiError | undefined> {
  const calls: (() => ReturnType<typeof askWebhook>)[] = [];
  const asked: Webhook[] = [];
  for (const webhook of webhooks) {
    const invocation = await matchWebhook(asker, webhook, attributes);
    if (invocation.status === 'refused') return invocation.error;
    if (invocation.status !== 'invoked') continue;
    asked.push(webhook);
    calls.push(() => askWebhook(asker, webhook, attributes, invocation, false));
  }
  const answers = await Promise.all(calls.map((call) => call()));
  answers.forEach(({ status }, at) => {
    if (status === 'ignored') attributes.annotate?.(`${FAILED_OPEN}round_0_index_${at}`, asked[at]?.name ?? '');
  });
  return answers.find((answer) => answer.status === 'refused')?.error;
}
