// A module of its own, so that who shares nothing does not load it.
export { encode } from "uqr";
