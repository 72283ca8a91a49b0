import type { Target } from './ClientOp.ts';
import { habitAnnotations } from './habitAnnotations.ts';

/** Returns the template of the pods of a script's Jobs. They have the target's label `app`, and the habits as annotations. */
export function newJobTemplate({ app }: Target, habits: Readonly<Record<string, string>>) {
  return {
    metadata: { labels: { app }, annotations: habitAnnotations(habits) },
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'job:1' }] },
  };
}
