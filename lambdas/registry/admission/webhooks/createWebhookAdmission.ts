import type { AdmissionPlugin } from '../dynamic/DynamicAdmission.ts';
import { ConfiguredObjects, type ConfiguredObjectsParts } from '../dynamic/ConfiguredObjects.ts';
import type { MutatingAsker } from './mutateByWebhooks.ts';
import type { WebhookAsker } from './askWebhook.ts';
import {
  MUTATING_CONFIGURATIONS,
  type MutatingWebhookConfiguration,
  VALIDATING_CONFIGURATIONS,
  type ValidatingWebhookConfiguration,
  type Webhook,
  webhooksOf,
} from './Webhook.ts';

/** The plugin MutatingAdmissionWebhook. Nothing of it is loaded before a configuration exists. */
export function createMutatingWebhooks(parts: ConfiguredObjectsParts & MutatingAsker): AdmissionPlugin {
  const configured = new ConfiguredObjects<MutatingWebhookConfiguration, readonly Webhook[]>(
    parts,
    MUTATING_CONFIGURATIONS,
    webhooksOf,
  );
  return {
    async mutate(attributes, readmit) {
      const webhooks = (await configured.list()).flat();
      if (webhooks.length === 0) return { status: 'admitted', object: attributes.object };
      const { mutateByWebhooks } = await import('./mutateByWebhooks.ts');
      return await mutateByWebhooks(parts, webhooks, attributes, readmit);
    },
    forget: (resource) => configured.forget(resource),
    isIdle: () => configured.isKnownEmpty,
  };
}

/** The plugin ValidatingAdmissionWebhook. */
export function createValidatingWebhooks(parts: ConfiguredObjectsParts & WebhookAsker): AdmissionPlugin {
  const configured = new ConfiguredObjects<ValidatingWebhookConfiguration, readonly Webhook[]>(
    parts,
    VALIDATING_CONFIGURATIONS,
    webhooksOf,
  );
  return {
    async validate(attributes) {
      const webhooks = (await configured.list()).flat();
      if (webhooks.length === 0) return undefined;
      const { validateByWebhooks } = await import('./validateByWebhooks.ts');
      return await validateByWebhooks(parts, webhooks, attributes);
    },
    forget: (resource) => configured.forget(resource),
    isIdle: () => configured.isKnownEmpty,
  };
}
