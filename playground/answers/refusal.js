/** A question that cannot be answered as it is asked, with a message for the reader. */
export class Refusal extends Error {
  status = 422;

  /** `boxes` are the box shapes that fit, if these are all that is missing. */
  constructor(message, boxes = null) {
    super(message);
    this.boxes = boxes;
  }
}
