export const options = { iteratoins: 3 };
export default function () {}
