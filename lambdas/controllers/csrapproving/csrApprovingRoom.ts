import { authorityOf, type ControllerRoom, type RoomParts } from '../ControllerRoom.ts';
import { SIGNING_REQUESTS } from './SigningRequest.ts';
import { approvingReasons } from './approvingReasons.ts';
import { createApprovingController, type MayCreate } from './createApprovingController.ts';

export const csrApprovingRoom = {
  name: 'csrapproving',
  needs: [SIGNING_REQUESTS],
  isClusterScoped: true,
  startsWhere: ({ hasAuthority }) => hasAuthority,
  reasons: approvingReasons,
  create: (parts) => createApprovingController({ authority: authorityOf(parts), mayCreate: mayCreateRequests(parts) }),
} as const satisfies ControllerRoom;

/** Kubernetes asks by a SubjectAccessReview. */
function mayCreateRequests({ allows }: RoomParts): MayCreate {
  const place = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests', namespace: '', name: '' };
  return (user, subresource) => allows(user, { verb: 'create', ...place, subresource });
}
