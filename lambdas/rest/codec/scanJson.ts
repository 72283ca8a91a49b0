import { DecodingBudget, type DecodingLimits } from './DecodingBudget.ts';
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

/**
 * Finds problems that JSON.parse does not report, in text that it has accepted. Throws ApiError RequestEntityTooLarge for a text that holds more than
 * an object may.
 */
export function scanJson(text: string, limits?: DecodingLimits): JsonScan {
  const frames: Frame[] = [];
  const duplicates: string[] = [];
  const budget = new DecodingBudget(limits);
  for (let i = 0; i < text.length; i += 1) {
    const frame = frames.at(-1);
    switch (text.charAt(i)) {
      case '{':
        budget.spendValues(1);
        frames.push({ names: new Set(), at: '', atName: true });
        break;
      case '[':
        budget.spendValues(1);
        frames.push({ names: undefined, at: 0, atName: false });
        break;
      case '}':
      case ']':
        frames.pop();
        break;
      case ',':
        budget.spendValues(1);
        if (frame !== undefined) advance(frame);
        break;
      case '"': {
        const end = endOfString(text, i);
        budget.spendCharacters(end - i);
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
