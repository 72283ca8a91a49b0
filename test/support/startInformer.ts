import type { Informer, KubernetesObject } from '@kubernetes/client-node';

/** Starts an informer that shows each added and changed object to `react`, as an operator does. Errors are ignored: the next change is a new chance. Resolves to what stops it. */
export async function startInformer<T extends KubernetesObject>(
  informer: Informer<T>,
  react: (object: T) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const tryIt = (object: T) => void react(object).catch(() => {});
  informer.on('add', tryIt);
  informer.on('update', tryIt);
  await informer.start();
  return () => informer.stop();
}
