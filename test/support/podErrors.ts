import { describe, expect, it } from 'vitest';
import { fieldErrorMessage } from '../../lambdas/objects/FieldError.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import { applyPodDefaults } from '../../lambdas/registry/defaulting/applyPodDefaults.ts';
import { validatePod } from '../../lambdas/registry/validation/pods/validatePod.ts';

export type Changes = Readonly<Record<string, unknown>>;

export function errorsOf(spec: Changes, metadata: Changes = {}): string[] {
  const pod = structuredClone({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default', ...metadata },
    spec: { containers: [{ name: 'web', image: 'nginx' }], ...spec },
  }) as unknown as KubernetesObject;
  applyPodDefaults(pod);
  return validatePod(pod).map(fieldErrorMessage);
}

export const container = (changes: Changes) => ({ containers: [{ name: 'web', image: 'nginx', ...changes }] });
export const data = (source: Changes) => ({ volumes: [{ name: 'data', ...source }] });
export const mounted = (mount: Changes, volumes: Changes = data({ emptyDir: {} })) => ({
  ...volumes,
  ...container({ volumeMounts: [{ name: 'data', mountPath: '/data', ...mount }] }),
});
export const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
export const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** Rows of a table: what is wrong, the changes of a pod's spec, and the errors of Kubernetes. */
export type ErrorRows = readonly (readonly [string, Changes, readonly string[]])[];

/** Tests tables of errors by the functions of pkg/apis/core/validation whose behaviour they match. */
export function testErrors(tables: Readonly<Record<string, ErrorRows>>): void {
  for (const [source, rows] of Object.entries(tables)) {
    describe(`${source}:`, () => {
      it.each(rows)('gives the errors of Kubernetes for %s', (_, spec, expected) => {
        expect(errorsOf(spec)).toEqual(expected);
      });
    });
  }
}
