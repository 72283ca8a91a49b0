import { failed, ok, type Step, type Verdict } from '../Step.ts';

interface UserInfo {
  readonly username?: string;
  readonly groups?: readonly string[];
}

/** Whether the authorizer's answer reaches what answers the API. */
export const whoami: Step<UserInfo> = {
  id: 'whoami',
  expects: 'The API knows the caller: a user of the knob `identities`, with its groups.',
  async observe({ api }) {
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const { status } = await api.post<{ readonly status?: { readonly userInfo?: UserInfo } }>(
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      review,
    );
    return status?.userInfo ?? {};
  },
  judge: judgeUser,
};

/** The report says nothing of the name, which may be that of a person. */
export function judgeUser({ username = '', groups = [] }: UserInfo): Verdict {
  if (username === '' || username === 'system:anonymous') return failed('The API does not know who asks.');
  if (!groups.includes('system:authenticated')) {
    return failed(`The API knows the user, and ${groups.length} groups, but not system:authenticated.`);
  }
  return ok(`The API knows the user and ${groups.length} groups.`);
}
