import type { ApiError } from '../objects/ApiError.ts';
import { conflict } from '../objects/apiErrors.ts';
import type { Pod } from '../objects/kinds.ts';
import { podConditionOf } from '../objects/pods/podState.ts';
import type { UpdateDraft } from './UpdateDraft.ts';
import { isSet, preconditionFailed } from './preconditionFailed.ts';

/**
 * Decides a scheduler's binding of `old` to the node that `bound` names, as Kubernetes' `BindingREST`. The UID and the resourceVersion of `bound` are preconditions. Its labels, annotations and
 * conditions are added to the pod's, everything else of the pod stays: nothing needs to be validated again, and the generation stays. Pure.
 */
export function decideBinding(bound: Pod, old: Pod): UpdateDraft {
  const error = preconditionError(bound, old) ?? bindingError(old);
  if (error) return { status: 'refused', error };
  const { labels, annotations } = bound.metadata;
  const { nominatedNodeName: _, ...status } = old.status ?? {};
  return {
    status: 'drafted',
    draft: {
      ...old,
      metadata: {
        ...old.metadata,
        ...(labels && { labels: { ...old.metadata.labels, ...labels } }),
        ...(annotations && { annotations: { ...old.metadata.annotations, ...annotations } }),
      },
      spec: { ...old.spec, nodeName: bound.spec?.nodeName },
      ...(old.status && { status: { ...status, ...conditionsAfter(bound, old) } }),
    },
  };
}

function preconditionError({ metadata: given }: Pod, { metadata }: Pod): ApiError | undefined {
  const { name, namespace = '' } = metadata;
  const failed = (why: string) => preconditionFailed('pods', name, `/registry/pods/${namespace}/${name}`, why);
  if (isSet(given.uid) && given.uid !== metadata.uid)
    return failed(`UID in precondition: ${given.uid}, UID in object meta: ${metadata.uid}`);
  if (isSet(given.resourceVersion) && given.resourceVersion !== metadata.resourceVersion)
    return failed(
      `ResourceVersion in precondition: ${given.resourceVersion}, ResourceVersion in object meta: ${metadata.resourceVersion}`,
    );
  return undefined;
}

function bindingError({ metadata: { name, deletionTimestamp }, spec }: Pod): ApiError | undefined {
  const refused = (why: string) => conflict('pods/binding', name, why);
  if (deletionTimestamp !== undefined) return refused(`pod ${name} is being deleted, cannot be assigned to a host`);
  if (spec?.nodeName) return refused(`pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`);
  return spec?.schedulingGates?.length ? refused(`pod ${name} has non-empty .spec.schedulingGates`) : undefined;
}

/** The pod's conditions with those of the binding whose status is news. */
function conditionsAfter(bound: Pod, old: Pod): Pick<NonNullable<Pod['status']>, 'conditions'> {
  const news = (bound.status?.conditions ?? []).filter(
    ({ type, status }) => podConditionOf(old, type)?.status !== status,
  );
  if (news.length === 0) return {};
  const types = new Set(news.map(({ type }) => type));
  return { conditions: [...(old.status?.conditions ?? []).filter(({ type }) => !types.has(type)), ...news] };
}
