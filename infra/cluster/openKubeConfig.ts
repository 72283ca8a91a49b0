import type { KubeConfig } from '@kubernetes/client-node';

/** A kubeconfig as the JavaScript client wants it. The client is loaded only here: who does not use it need not install it. */
export async function openKubeConfig(text: string): Promise<KubeConfig> {
  const client = await import('@kubernetes/client-node').catch((cause: unknown) => {
    throw new Error('kubeConfig() needs the package @kubernetes/client-node; install it beside driftless', { cause });
  });
  const config = new client.KubeConfig();
  config.loadFromString(text);
  return config;
}
