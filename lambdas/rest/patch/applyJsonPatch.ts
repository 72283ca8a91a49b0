import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../../objects/ApiError.ts';
import { BudgetExhaustedError, type RequestBudget } from '../../objects/RequestBudget.ts';
import { isObject } from '../../objects/json.ts';

const MAX_OPERATIONS = 10_000;
/** Operations can nest values ever deeper. The limit protects recursive functions from a stack overflow. */
const MAX_DEPTH = 1_000;
/** A `copy` can double the document, and an insertion at the front of a list moves all its items, several in one step. */
const STEPS_PER_OPERATION = 5;
const STEPS_PER_COPY = 2;
const MOVED_PER_STEP = 10;
/** The most characters of text that the `copy` operations of one patch may copy together, as in Kubernetes. */
const MAX_COPIED_CHARACTERS = 3 * 1024 * 1024;

/**
 * Applies an RFC 6902 patch and returns the result. Changes `document` in place. `patch` is a list of objects that are not checked yet. Throws ApiError: Invalid,
 * with Kubernetes' generic message, for a patch that does not fit the document or a failed `test`; RequestEntityTooLarge for too many operations, and BudgetExhaustedError for those that do too much.
 *
 * Written here and not taken from a library: what is available copies the document for each `copy` and `move`.
 */
export function applyJsonPatch(document: unknown, patch: readonly unknown[], budget: RequestBudget): unknown {
  if (patch.length > MAX_OPERATIONS) throw new ApiError('RequestEntityTooLarge', tooManyOperations(patch.length));
  try {
    return applyOperations(document, patch, budget);
  } catch (error) {
    if (error instanceof BudgetExhaustedError) throw error;
    throw rejectedPatch(error);
  }
}

/** Applies a patch as `applyJsonPatch` does. Throws a JsonPatchError that names the operation, or BudgetExhaustedError. */
export function applyOperations(document: unknown, patch: readonly unknown[], budget: RequestBudget): unknown {
  if (patch.length > MAX_OPERATIONS) throw new JsonPatchError(tooManyOperations(patch.length));
  const patching = new Patching(document, budget);
  for (const operation of patch) applyOperation(patching, operation as Operation);
  requireDepth(patching.root, MAX_DEPTH);
  return patching.root;
}

/** A patch that does not fit the document. The message has the words of evanphx/json-patch, which Kubernetes uses. */
export class JsonPatchError extends Error {}

function tooManyOperations(count: number): string {
  return `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${count}`;
}

function applyOperation(patching: Patching, operation: Operation): void {
  try {
    patching.apply(operation);
  } catch (cause) {
    if (cause instanceof BudgetExhaustedError) throw cause;
    throw new JsonPatchError(whyNot(operation, cause as Error), { cause });
  }
}

const OPERATIONS: readonly unknown[] = ['add', 'remove', 'replace', 'move', 'copy'];

function whyNot({ op, path }: Operation, { message }: Error): string {
  if (op === 'test') return `testing path ${String(path)} failed: test failed`;
  if (!OPERATIONS.includes(op)) return `Unexpected kind: ${String(op)}`;
  const isMissing = message === PATH_MISSING || message === INDEX_MISSING;
  const why = isMissing ? `doc is missing path: ${JSON.stringify(path)}: missing value` : message;
  return `jsonpatch ${String(op)} operation does not apply: ${why}`;
}

const PATH_MISSING = 'the path does not exist';
const INDEX_MISSING = 'the index does not exist';

/** The error for a patch that cannot be applied. Kubernetes answers with a generic sentence that does not name the reason. */
export function rejectedPatch(cause: unknown): ApiError {
  return new ApiError('Invalid', 'the server rejected our request due to an error in our request', {}, { cause });
}

/** An operation as it came: nothing of it is certain. */
type Operation = Readonly<Partial<Record<'op' | 'path' | 'from' | 'value', unknown>>>;

/** The document while a patch is applied to it. */
class Patching {
  root: unknown;
  #copiedCharacters = 0;
  readonly #budget: RequestBudget;

  constructor(document: unknown, budget: RequestBudget) {
    this.root = document;
    this.#budget = budget;
  }

  apply(operation: Operation): void {
    const path = parsePointer(operation.path);
    this.#budget.spend(STEPS_PER_OPERATION + path.length);
    switch (operation.op) {
      case 'add':
        return this.#add(path, valueOf(operation));
      case 'remove':
        return void this.#remove(path);
      case 'replace':
        return this.#replace(path, valueOf(operation));
      case 'move': {
        const from = parsePointer(operation.from);
        if (startsWith(path, from) && path.length > from.length) throw new Error('a value cannot move into itself');
        return this.#add(path, this.#remove(from));
      }
      case 'copy':
        return this.#add(path, this.#copy(this.#get(parsePointer(operation.from))));
      case 'test':
        this.#budget.spendOnEach(valueOf(operation), STEPS_PER_COPY);
        if (isDeepStrictEqual(this.#get(path), valueOf(operation))) return;
        throw new Error('test failed');
      default:
        throw new Error('unknown operation');
    }
  }

  #add(path: readonly string[], value: unknown): void {
    const name = path.at(-1);
    if (name === undefined) {
      this.root = value;
      return;
    }
    const parent = this.#get(path.slice(0, -1));
    if (Array.isArray(parent)) {
      const index = name === '-' ? parent.length : indexIn(name, parent.length);
      this.#budget.spend((parent.length - index) / MOVED_PER_STEP);
      parent.splice(index, 0, value);
    } else setMember(parent, name, value);
  }

  /** Unlike RFC 6902, and like the library that Kubernetes uses, sets a member that is not there, too. */
  #replace(path: readonly string[], value: unknown): void {
    const name = path.at(-1);
    if (name === undefined) {
      this.root = value;
      return;
    }
    const parent = this.#get(path.slice(0, -1));
    if (Array.isArray(parent)) {
      memberOf(parent, name);
      parent[Number(name)] = value;
    } else setMember(parent, name, value);
  }

  #remove(path: readonly string[]): unknown {
    const name = path.at(-1);
    if (name === undefined) throw new Error('the whole document cannot be removed');
    const parent = this.#get(path.slice(0, -1));
    const value = memberOf(parent, name);
    if (Array.isArray(parent)) {
      this.#budget.spend((parent.length - Number(name)) / MOVED_PER_STEP);
      parent.splice(Number(name), 1);
    } else delete (parent as Record<string, unknown>)[name];
    return value;
  }

  #get(path: readonly string[]): unknown {
    return path.reduce((value, name) => memberOf(value, name), this.root);
  }

  /** A deep copy. Counts what it copies as it goes, so that no copy is larger than the budget. */
  #copy(value: unknown): unknown {
    this.#budget.spend(STEPS_PER_COPY);
    if (typeof value === 'string') this.#spendCharacters(value.length);
    if (Array.isArray(value)) return value.map((item) => this.#copy(item));
    if (!isObject(value)) return value;
    const copy: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(value)) {
      this.#spendCharacters(name.length);
      setMember(copy, name, this.#copy(member));
    }
    return copy;
  }

  #spendCharacters(count: number): void {
    this.#copiedCharacters += count;
    if (this.#copiedCharacters > MAX_COPIED_CHARACTERS) throw new Error('copies too much');
    this.#budget.keep(count);
  }
}

/** The names of a JSON pointer (RFC 6901): `/a~1b/0` is `a/b`, `0`. */
function parsePointer(pointer: unknown): string[] {
  if (pointer === '') return [];
  if (typeof pointer !== 'string' || !pointer.startsWith('/')) throw new Error('not a JSON pointer');
  const names = pointer
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (names.length > MAX_DEPTH) throw new Error('the path is too deep');
  return names;
}

function startsWith(path: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((name, index) => path[index] === name);
}

function valueOf(operation: Operation): unknown {
  if (!Object.hasOwn(operation, 'value')) throw new Error('the operation has no value');
  return operation.value;
}

/** The member or item of that name, which must exist. */
function memberOf(parent: unknown, name: string): unknown {
  if (Array.isArray(parent)) return parent[indexIn(name, parent.length - 1)];
  if (!isObject(parent) || !Object.hasOwn(parent, name)) throw new Error(PATH_MISSING);
  return parent[name];
}

/** A member named `__proto__` is refused, like a constructor's prototype: no object of the API has one. */
function setMember(parent: unknown, name: string, value: unknown): void {
  if (!isObject(parent) || name === '__proto__') throw new Error(PATH_MISSING);
  parent[name] = value;
}

function indexIn(name: string, highest: number): number {
  if (!/^(?:0|[1-9]\d{0,8})$/.test(name) || Number(name) > highest) throw new Error(INDEX_MISSING);
  return Number(name);
}

function requireDepth(value: unknown, levels: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (levels === 0) throw new Error('nests too deep');
  for (const member of Object.values(value)) requireDepth(member, levels - 1);
}
