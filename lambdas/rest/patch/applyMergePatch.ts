import { isObject } from '../../objects/json.ts';

/** Applies an RFC 7386 merge patch and returns the result. Changes `target` in place if both are objects. The result may share parts of `patch`. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result = isObject(target) ? target : {};
  for (const name of Object.keys(patch)) {
    const member = patch[name];
    if (member === null) delete result[name];
    else setMember(result, name, applyMergePatch(Object.hasOwn(result, name) ? result[name] : undefined, member));
  }
  return result;
}

/** Sets an own member, even one named `__proto__`: a plain assignment would set the prototype. */
export function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
