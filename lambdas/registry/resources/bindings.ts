import { defineResource } from '../defineResource.ts';

/** The older way to bind a pod to a node: creating a Binding with the pod's name does the same as the subresource `pods/binding`. None is stored. */
export const bindings = defineResource({
  group: '',
  kind: 'Binding',
  namespaced: true,
  virtual: true,
  verbs: ['create'],
});
