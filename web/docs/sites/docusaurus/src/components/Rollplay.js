import { rollplay } from "rollplay-embed/react";

export default rollplay("https://rollplay.example/");
