import type { NewObject } from '../../lambdas/objects/KubernetesObject.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer', default: 1 },
        color: { type: 'string' },
      },
    },
    status: { type: 'object', properties: { replicas: { type: 'integer' }, selector: { type: 'string' } } },
  },
};

/** A version of the widgets below, with what differs from the usual. */
export function widgetVersion(name: string, more: object = {}): object {
  return { name, served: true, storage: true, schema: { openAPIV3Schema: SCHEMA }, ...more };
}

/** The definition of `widgets.example.com`, with what differs in its spec. */
export function widgetDefinition(spec: Readonly<Record<string, unknown>> = {}): NewObject {
  const names = { plural: 'widgets', kind: 'Widget', shortNames: ['wd'], categories: ['all'] };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions: [widgetVersion('v1')], ...spec },
  };
}

/** A widget in namespace `default`. */
export function widget(name: string, spec: object = {}, metadata: object = {}): NewObject {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name, namespace: 'default', ...metadata },
    spec,
  };
}
