import type { ApiError } from '../../../objects/ApiError.ts';
import type { AdmissionAttributes } from '../dynamic/AdmissionAttributes.ts';
import { askWebhook, matchWebhook, type WebhookAsker } from './askWebhook.ts';
import type { Webhook } from './Webhook.ts';

/** Asks all validating webhooks that match, at the same time. Returns the refusal of the first of them, by their order. Follows upstream's `validatingDispatcher`. */
export async function validateByWebhooks(
  asker: WebhookAsker,
  webhooks: readonly Webhook[],
  attributes: AdmissionAttributes,
): Promise<ApiError | undefined> {
  const calls: (() => ReturnType<typeof askWebhook>)[] = [];
  for (const webhook of webhooks) {
    const invocation = await matchWebhook(asker, webhook, attributes);
    if (invocation.status === 'refused') return invocation.error;
    if (invocation.status === 'invoked') calls.push(() => askWebhook(asker, webhook, attributes, invocation, false));
  }
  const answers = await Promise.all(calls.map((call) => call()));
  return answers.find((answer) => answer.status === 'refused')?.error;
}
