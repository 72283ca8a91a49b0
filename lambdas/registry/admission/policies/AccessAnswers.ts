import {
  type Access,
  type AccessQuestion,
  type AskingUser,
  AuthorizerValue,
} from '../../cel/evaluate/AuthorizationValue.ts';

/** Decides whether a user may do something. */
export type AllowAccess = (user: AskingUser, access: Access) => Promise<boolean>;

/** Stops the evaluation of an expression that asks what is not known yet. */
class UnansweredQuestion extends Error {
  readonly question: AccessQuestion;

  constructor({ user, access }: AccessQuestion) {
    super(`not known yet: may ${user.username} ${access.verb}`);
    this.question = { user, access };
  }
}

/**
 * What the authorizer has answered during one request. Expressions are evaluated without waiting, so what they ask is found out in between: an evaluation that asks
 * something new is stopped, and begun again with the answer. Expressions have no effects, so that changes nothing; and since a check costs so much
 * of the budget, there are only a few. Nothing is asked for expressions that do not ask.
 */
export class AccessAnswers {
  readonly #user: AskingUser;
  readonly #allows: AllowAccess | undefined;
  readonly #known = new Map<string, boolean>();

  /** `user`: who sends the request. Without `allows`, everyone may do everything. */
  constructor(user: AskingUser, allows: AllowAccess | undefined) {
    this.#user = user;
    this.#allows = allows;
  }

  /** Runs an evaluation to its end. It may be run several times. */
  async evaluate<T>(run: (authorizer: AuthorizerValue) => T): Promise<T> {
    const authorizer = new AuthorizerValue(this.#user, (question) => this.#answer(question));
    for (;;) {
      try {
        return run(authorizer);
      } catch (error) {
        if (!(error instanceof UnansweredQuestion)) throw error;
        const { user, access } = error.question;
        const isAllowed = this.#allows === undefined || (await this.#allows(user, access));
        this.#known.set(keyOf(error.question), isAllowed);
      }
    }
  }

  #answer(question: AccessQuestion): boolean {
    const answer = this.#known.get(keyOf(question));
    if (answer === undefined) throw new UnansweredQuestion(question);
    return answer;
  }
}

function keyOf({ user, access }: AccessQuestion): string {
  return JSON.stringify([user.username, access]);
}
