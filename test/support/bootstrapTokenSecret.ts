import type { NewObject } from '../../lambdas/objects/KubernetesObject.ts';

/** The Secret of the bootstrap token `ID.0123456789abcdef`, for signing and authentication, as `kubeadm token create` makes it. `change`: other contents. */
export function bootstrapTokenSecret(change: Readonly<Record<string, string>> = {}, id = 'abcdef'): NewObject {
  const contents = {
    'token-id': id,
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-authentication': 'true',
    'usage-bootstrap-signing': 'true',
    'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token',
    ...change,
  };
  const data = Object.entries(contents).map(([name, text]) => [name, Buffer.from(text).toString('base64')] as const);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
    type: 'bootstrap.kubernetes.io/token',
    data: Object.fromEntries(data),
  };
}
