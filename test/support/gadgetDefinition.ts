import type { NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { WebhookServer } from './WebhookServer.ts';

/** The definition of `gadgets.example.com` with these versions, which the webhook at the server's path `/convert` converts. */
export function gadgetDefinition(server: WebhookServer, versions: readonly object[]): NewObject {
  const webhook = { clientConfig: server.clientConfig('/convert'), conversionReviewVersions: ['v1'] };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gadgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'gadgets', kind: 'Gadget' },
      versions,
      conversion: { strategy: 'Webhook', webhook },
    },
  };
}
