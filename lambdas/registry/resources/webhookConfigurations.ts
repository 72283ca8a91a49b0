import { jsonEqual } from '../../objects/json.ts';
import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '../admission/webhooks/Webhook.ts';
import { applyMatchDefaults } from '../defaulting/applyMatchDefaults.ts';
import { type Draft, fillAbsent, itemDrafts, presentDraft } from '../defaulting/drafts.ts';
import { defineResource } from '../defineResource.ts';
import type { ResourceEntry } from '../ResourceEntry.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';

const DEFAULT_TIMEOUT_SECONDS = 10;
const HTTPS_PORT = 443;

function completeWebhook(webhook: Draft): void {
  fillAbsent(webhook, 'failurePolicy', 'Fail');
  fillAbsent(webhook, 'timeoutSeconds', DEFAULT_TIMEOUT_SECONDS);
  applyMatchDefaults(webhook, ['rules']);
  const service = presentDraft(presentDraft(webhook, 'clientConfig') ?? {}, 'service');
  if (service) fillAbsent(service, 'port', HTTPS_PORT);
}

function webhookConfigurations(kind: string, completeOwn: (webhook: Draft) => void = () => {}): ResourceEntry {
  return defineResource({
    group: 'admissionregistration.k8s.io',
    kind,
    namespaced: false,
    applyDefaults(draft) {
      for (const webhook of itemDrafts(draft, 'webhooks')) {
        completeWebhook(webhook);
        completeOwn(webhook);
      }
    },
    loadStrategy: async () => {
      const { mutatingWebhooks, validatingWebhooks } = await import(
        '../validation/admission/webhookConfigurationRules.ts'
      );
      return kind.startsWith('Mutating') ? mutatingWebhooks : validatingWebhooks;
    },
    strategy: {
      allowUnconditionalUpdate: false,
      generationChanges: (object, old) => !jsonEqual(object['webhooks'], old['webhooks']),
    },
    table: tableOf<MutatingWebhookConfiguration | ValidatingWebhookConfiguration>(
      nameCell,
      cell('Webhooks', 'How many webhooks it has.', ({ webhooks }) => webhooks?.length ?? 0, 'integer'),
      ageCell,
    ),
  });
}

/** Webhooks that are asked before an object is validated, one after the other, and may change it. */
export const mutatingWebhookConfigurations = webhookConfigurations('MutatingWebhookConfiguration', (webhook) =>
  fillAbsent(webhook, 'reinvocationPolicy', 'Never'),
);

/** Webhooks that are asked about an object that is valid, and may refuse it. */
export const validatingWebhookConfigurations = webhookConfigurations('ValidatingWebhookConfiguration');
