import type { ResourceRequest } from '../request/ResourceRequest.ts';

/** Which part of the object a write to this URL touches, as the registry wants to be told it. */
export function updatedSubresource({ info }: ResourceRequest): { subresource?: 'status' | 'finalize' } {
  const { subresource } = info;
  return subresource === 'status' || subresource === 'finalize' ? { subresource } : {};
}
