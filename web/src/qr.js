// @ts-check
// A module of its own, so it loads only when somebody shares.
export { encode } from "uqr";
