import type { AdmissionAttributes } from '../dynamic/AdmissionAttributes.ts';
import type { Match } from './matchRequest.ts';

/**
 * Describes a request as `AdmissionRequest` of admission.k8s.io/v1, without its UID and its objects: what expressions see as `request`, and what webhooks are sent. `match` says in which version its
 * objects are shown. Empty members are left out, as in Kubernetes. Pure.
 */
export function admissionRequest(attributes: AdmissionAttributes, match: Match): Readonly<Record<string, unknown>> {
  const { entry, group, version, subresource, kind, name, namespace, operation, user, dryRun, options } = attributes;
  const { plural: resource } = entry;
  return {
    kind: match.kind,
    resource: { group: match.group, version: match.version, resource },
    ...(subresource !== '' && { subResource: subresource }),
    requestKind: kind,
    requestResource: { group, version, resource },
    ...(subresource !== '' && { requestSubResource: subresource }),
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation,
    userInfo: {
      ...(user.username !== '' && { username: user.username }),
      ...(user.uid !== undefined && user.uid !== '' && { uid: user.uid }),
      ...(user.groups.length > 0 && { groups: user.groups }),
      ...(user.extra && { extra: user.extra }),
    },
    dryRun,
    options,
  };
}
