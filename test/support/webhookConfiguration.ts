import type { WebhookServer } from './WebhookServer.ts';

/** A rule about all operations on all versions of these resources. */
export function ruleFor(resources: readonly string[], more: object = {}): object {
  return { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources, ...more };
}

/** A configuration with one webhook, `<name>.example.com`, at `/<name>` of the server, which is asked about pods unless `more` says otherwise. */
export function webhookConfiguration(
  kind: 'Mutating' | 'Validating',
  name: string,
  server: WebhookServer,
  more: object = {},
): object {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name },
    webhooks: [
      {
        name: `${name}.example.com`,
        clientConfig: server.clientConfig(`/${name}`),
        rules: [ruleFor(['pods'])],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...more,
      },
    ],
  };
}
