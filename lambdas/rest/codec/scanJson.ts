import { DecodingBudget, type DecodingLimits, MAX_VALUES } from './DecodingBudget.ts';
import { pathText } from '../schema/pruneFields.ts';

/** No object of the API nests this deep. The limit protects recursive functions from a stack overflow. */
const MAX_DEPTH = 1_000;
const MAX_DUPLICATES = 100;

export interface JsonScan {
  /** The paths of members that repeat an earlier name: `spec.replicas`. */
  readonly duplicates: readonly string[];
  readonly tooDeep: boolean;
}

interface Frame {
  /** The names seen so far; undefined in an array. */
  readonly names: Set<string> | undefined;
  /** The current member's name, or the current index. */
  at: string | number;
  atName: boolean;
}

/** Finds problems that JSON.parse does not report, in text that it has accepted. */
export function scanJson(text: string): JsonScan {
  const frames: Frame[] = [];
  const duplicates: string[] = [];
  for (let i = 0; i < text.length; i += 1) {
    const frame = frames.at(-1);
    switch (text.charAt(i)) {
      case '{':
        frames.push({ names: new Set(), at: '', atName: true });
        break;
      case '[':
        frames.push({ names: undefined, at: 0, atName: false });
        break;
      case '}':
      case ']':
        frames.pop();
        break;
      case ',':
        if (frame !== undefined) advance(frame);
        break;
      case '"': {
        const end = endOfString(text, i);
        if (frame?.atName === true && enterMember(frame, text.slice(i, end)) && duplicates.length < MAX_DUPLICATES) {
          duplicates.push(pathText(frames.map(({ at }) => at)));
        }
        i = end - 1;
        break;
      }
      default:
    }
    if (frames.length > MAX_DEPTH) return { duplicates, tooDeep: true };
  }
  return { duplicates, tooDeep: false };
}

function advance(frame: Frame): void {
  if (typeof frame.at === 'number') frame.at += 1;
  else frame.atName = true;
}

/** Enters a member. Returns true if the object had its name before. */
function enterMember(frame: Frame, quoted: string): boolean {
  const name = quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
  frame.atName = false;
  frame.at = name;
  if (frame.names?.has(name) === true) return true;
  frame.names?.add(name);
  return false;
}

/** The index after the closing quote. */
function endOfString(text: string, start: number): number {
  let end = start;
  do {
    end = text.indexOf('"', end + 1);
  } while (end > 0 && isEscaped(text, end));
  return end < 0 ? text.length : end + 1;
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text[index - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/** A shorter text cannot hold too many values. */
const COUNTED_FROM = 2 * MAX_VALUES;
/** A short text is not counted: it takes as much as if each of its values had ten characters. */
const CHARACTERS_PER_STEP = 10;
/** The count takes an empty object for two values, and each field of managedFields is one. */
const COUNTED_PER_VALUE = 2;

/**
 * Counts what a text holds before it is parsed: to parse it all takes longer than other requests should wait. The text need not be JSON. Returns how many values it holds at most, and whether it nests too
 * deep; throws ApiError RequestEntityTooLarge for too many values or too long texts. Does not tell managedFields from other values, and so lets through as many more as they may have in a text that has some.
 */
export function countJson(
  text: string,
  limits: DecodingLimits,
): { readonly tooDeep: boolean; readonly values: number } {
  if (text.length < COUNTED_FROM) {
    limits.budget.spend(text.length / CHARACTERS_PER_STEP);
    return { tooDeep: false, values: MAX_VALUES };
  }
  let depth = 0;
  const managedValues = text.includes('"managedFields"') ? (limits.managedValues ?? 0) : 0;
  const budget = new DecodingBudget(limits, COUNTED_PER_VALUE * managedValues);
  for (let i = 0; i < text.length; i += 1) {
    switch (text.charCodeAt(i)) {
      case 0x22: {
        const end = endOfString(text, i);
        budget.spendCharacters(end - i);
        i = end - 1;
        break;
      }
      case 0x5b: // [
      case 0x7b: // {
        budget.spendValues(1);
        depth += 1;
        break;
      case 0x2c: // ,
        budget.spendValues(1);
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      default:
    }
    if (depth > MAX_DEPTH) return { tooDeep: true, values: budget.values };
  }
  return { tooDeep: false, values: budget.values };
}
