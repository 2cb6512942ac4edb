package invisible

import "unicode"

// pictographs have the property Extended_Pictographic in Unicode 17
// (emoji/emoji-data.txt of UTS #51): everything that an emoji can begin with, except
// digits, two-letter flags, and skin tones. They include code points reserved for
// future emoji.
var pictographs = &unicode.RangeTable{
	LatinOffset: 2,
	R16: []unicode.Range16{
		{Lo: 0xa9, Hi: 0xa9, Stride: 1}, {Lo: 0xae, Hi: 0xae, Stride: 1}, {Lo: 0x203c, Hi: 0x203c, Stride: 1}, {Lo: 0x2049, Hi: 0x2049, Stride: 1},
		{Lo: 0x2122, Hi: 0x2122, Stride: 1}, {Lo: 0x2139, Hi: 0x2139, Stride: 1}, {Lo: 0x2194, Hi: 0x2199, Stride: 1}, {Lo: 0x21a9, Hi: 0x21aa, Stride: 1},
		{Lo: 0x231a, Hi: 0x231b, Stride: 1}, {Lo: 0x2328, Hi: 0x2328, Stride: 1}, {Lo: 0x23cf, Hi: 0x23cf, Stride: 1}, {Lo: 0x23e9, Hi: 0x23f3, Stride: 1},
		{Lo: 0x23f8, Hi: 0x23fa, Stride: 1}, {Lo: 0x24c2, Hi: 0x24c2, Stride: 1}, {Lo: 0x25aa, Hi: 0x25ab, Stride: 1}, {Lo: 0x25b6, Hi: 0x25b6, Stride: 1},
		{Lo: 0x25c0, Hi: 0x25c0, Stride: 1}, {Lo: 0x25fb, Hi: 0x25fe, Stride: 1}, {Lo: 0x2600, Hi: 0x2604, Stride: 1}, {Lo: 0x260e, Hi: 0x260e, Stride: 1},
		{Lo: 0x2611, Hi: 0x2611, Stride: 1}, {Lo: 0x2614, Hi: 0x2615, Stride: 1}, {Lo: 0x2618, Hi: 0x2618, Stride: 1}, {Lo: 0x261d, Hi: 0x261d, Stride: 1},
		{Lo: 0x2620, Hi: 0x2620, Stride: 1}, {Lo: 0x2622, Hi: 0x2623, Stride: 1}, {Lo: 0x2626, Hi: 0x2626, Stride: 1}, {Lo: 0x262a, Hi: 0x262a, Stride: 1},
		{Lo: 0x262e, Hi: 0x262f, Stride: 1}, {Lo: 0x2638, Hi: 0x263a, Stride: 1}, {Lo: 0x2640, Hi: 0x2640, Stride: 1}, {Lo: 0x2642, Hi: 0x2642, Stride: 1},
		{Lo: 0x2648, Hi: 0x2653, Stride: 1}, {Lo: 0x265f, Hi: 0x2660, Stride: 1}, {Lo: 0x2663, Hi: 0x2663, Stride: 1}, {Lo: 0x2665, Hi: 0x2666, Stride: 1},
		{Lo: 0x2668, Hi: 0x2668, Stride: 1}, {Lo: 0x267b, Hi: 0x267b, Stride: 1}, {Lo: 0x267e, Hi: 0x267f, Stride: 1}, {Lo: 0x2692, Hi: 0x2697, Stride: 1},
		{Lo: 0x2699, Hi: 0x2699, Stride: 1}, {Lo: 0x269b, Hi: 0x269c, Stride: 1}, {Lo: 0x26a0, Hi: 0x26a1, Stride: 1}, {Lo: 0x26a7, Hi: 0x26a7, Stride: 1},
		{Lo: 0x26aa, Hi: 0x26ab, Stride: 1}, {Lo: 0x26b0, Hi: 0x26b1, Stride: 1}, {Lo: 0x26bd, Hi: 0x26be, Stride: 1}, {Lo: 0x26c4, Hi: 0x26c5, Stride: 1},
		{Lo: 0x26c8, Hi: 0x26c8, Stride: 1}, {Lo: 0x26ce, Hi: 0x26cf, Stride: 1}, {Lo: 0x26d1, Hi: 0x26d1, Stride: 1}, {Lo: 0x26d3, Hi: 0x26d4, Stride: 1},
		{Lo: 0x26e9, Hi: 0x26ea, Stride: 1}, {Lo: 0x26f0, Hi: 0x26f5, Stride: 1}, {Lo: 0x26f7, Hi: 0x26fa, Stride: 1}, {Lo: 0x26fd, Hi: 0x26fd, Stride: 1},
		{Lo: 0x2702, Hi: 0x2702, Stride: 1}, {Lo: 0x2705, Hi: 0x2705, Stride: 1}, {Lo: 0x2708, Hi: 0x270d, Stride: 1}, {Lo: 0x270f, Hi: 0x270f, Stride: 1},
		{Lo: 0x2712, Hi: 0x2712, Stride: 1}, {Lo: 0x2714, Hi: 0x2714, Stride: 1}, {Lo: 0x2716, Hi: 0x2716, Stride: 1}, {Lo: 0x271d, Hi: 0x271d, Stride: 1},
		{Lo: 0x2721, Hi: 0x2721, Stride: 1}, {Lo: 0x2728, Hi: 0x2728, Stride: 1}, {Lo: 0x2733, Hi: 0x2734, Stride: 1}, {Lo: 0x2744, Hi: 0x2744, Stride: 1},
		{Lo: 0x2747, Hi: 0x2747, Stride: 1}, {Lo: 0x274c, Hi: 0x274c, Stride: 1}, {Lo: 0x274e, Hi: 0x274e, Stride: 1}, {Lo: 0x2753, Hi: 0x2755, Stride: 1},
		{Lo: 0x2757, Hi: 0x2757, Stride: 1}, {Lo: 0x2763, Hi: 0x2764, Stride: 1}, {Lo: 0x2795, Hi: 0x2797, Stride: 1}, {Lo: 0x27a1, Hi: 0x27a1, Stride: 1},
		{Lo: 0x27b0, Hi: 0x27b0, Stride: 1}, {Lo: 0x27bf, Hi: 0x27bf, Stride: 1}, {Lo: 0x2934, Hi: 0x2935, Stride: 1}, {Lo: 0x2b05, Hi: 0x2b07, Stride: 1},
		{Lo: 0x2b1b, Hi: 0x2b1c, Stride: 1}, {Lo: 0x2b50, Hi: 0x2b50, Stride: 1}, {Lo: 0x2b55, Hi: 0x2b55, Stride: 1}, {Lo: 0x3030, Hi: 0x3030, Stride: 1},
		{Lo: 0x303d, Hi: 0x303d, Stride: 1}, {Lo: 0x3297, Hi: 0x3297, Stride: 1}, {Lo: 0x3299, Hi: 0x3299, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1f004, Hi: 0x1f004, Stride: 1}, {Lo: 0x1f02c, Hi: 0x1f02f, Stride: 1}, {Lo: 0x1f094, Hi: 0x1f09f, Stride: 1}, {Lo: 0x1f0af, Hi: 0x1f0b0, Stride: 1},
		{Lo: 0x1f0c0, Hi: 0x1f0c0, Stride: 1}, {Lo: 0x1f0cf, Hi: 0x1f0d0, Stride: 1}, {Lo: 0x1f0f6, Hi: 0x1f0ff, Stride: 1}, {Lo: 0x1f170, Hi: 0x1f171, Stride: 1},
		{Lo: 0x1f17e, Hi: 0x1f17f, Stride: 1}, {Lo: 0x1f18e, Hi: 0x1f18e, Stride: 1}, {Lo: 0x1f191, Hi: 0x1f19a, Stride: 1}, {Lo: 0x1f1ae, Hi: 0x1f1e5, Stride: 1},
		{Lo: 0x1f201, Hi: 0x1f20f, Stride: 1}, {Lo: 0x1f21a, Hi: 0x1f21a, Stride: 1}, {Lo: 0x1f22f, Hi: 0x1f22f, Stride: 1}, {Lo: 0x1f232, Hi: 0x1f23a, Stride: 1},
		{Lo: 0x1f23c, Hi: 0x1f23f, Stride: 1}, {Lo: 0x1f249, Hi: 0x1f25f, Stride: 1}, {Lo: 0x1f266, Hi: 0x1f321, Stride: 1}, {Lo: 0x1f324, Hi: 0x1f393, Stride: 1},
		{Lo: 0x1f396, Hi: 0x1f397, Stride: 1}, {Lo: 0x1f399, Hi: 0x1f39b, Stride: 1}, {Lo: 0x1f39e, Hi: 0x1f3f0, Stride: 1}, {Lo: 0x1f3f3, Hi: 0x1f3f5, Stride: 1},
		{Lo: 0x1f3f7, Hi: 0x1f3fa, Stride: 1}, {Lo: 0x1f400, Hi: 0x1f4fd, Stride: 1}, {Lo: 0x1f4ff, Hi: 0x1f53d, Stride: 1}, {Lo: 0x1f549, Hi: 0x1f54e, Stride: 1},
		{Lo: 0x1f550, Hi: 0x1f567, Stride: 1}, {Lo: 0x1f56f, Hi: 0x1f570, Stride: 1}, {Lo: 0x1f573, Hi: 0x1f57a, Stride: 1}, {Lo: 0x1f587, Hi: 0x1f587, Stride: 1},
		{Lo: 0x1f58a, Hi: 0x1f58d, Stride: 1}, {Lo: 0x1f590, Hi: 0x1f590, Stride: 1}, {Lo: 0x1f595, Hi: 0x1f596, Stride: 1}, {Lo: 0x1f5a4, Hi: 0x1f5a5, Stride: 1},
		{Lo: 0x1f5a8, Hi: 0x1f5a8, Stride: 1}, {Lo: 0x1f5b1, Hi: 0x1f5b2, Stride: 1}, {Lo: 0x1f5bc, Hi: 0x1f5bc, Stride: 1}, {Lo: 0x1f5c2, Hi: 0x1f5c4, Stride: 1},
		{Lo: 0x1f5d1, Hi: 0x1f5d3, Stride: 1}, {Lo: 0x1f5dc, Hi: 0x1f5de, Stride: 1}, {Lo: 0x1f5e1, Hi: 0x1f5e1, Stride: 1}, {Lo: 0x1f5e3, Hi: 0x1f5e3, Stride: 1},
		{Lo: 0x1f5e8, Hi: 0x1f5e8, Stride: 1}, {Lo: 0x1f5ef, Hi: 0x1f5ef, Stride: 1}, {Lo: 0x1f5f3, Hi: 0x1f5f3, Stride: 1}, {Lo: 0x1f5fa, Hi: 0x1f64f, Stride: 1},
		{Lo: 0x1f680, Hi: 0x1f6c5, Stride: 1}, {Lo: 0x1f6cb, Hi: 0x1f6d2, Stride: 1}, {Lo: 0x1f6d5, Hi: 0x1f6e5, Stride: 1}, {Lo: 0x1f6e9, Hi: 0x1f6e9, Stride: 1},
		{Lo: 0x1f6eb, Hi: 0x1f6f0, Stride: 1}, {Lo: 0x1f6f3, Hi: 0x1f6ff, Stride: 1}, {Lo: 0x1f7da, Hi: 0x1f7ff, Stride: 1}, {Lo: 0x1f80c, Hi: 0x1f80f, Stride: 1},
		{Lo: 0x1f848, Hi: 0x1f84f, Stride: 1}, {Lo: 0x1f85a, Hi: 0x1f85f, Stride: 1}, {Lo: 0x1f888, Hi: 0x1f88f, Stride: 1}, {Lo: 0x1f8ae, Hi: 0x1f8af, Stride: 1},
		{Lo: 0x1f8bc, Hi: 0x1f8bf, Stride: 1}, {Lo: 0x1f8c2, Hi: 0x1f8cf, Stride: 1}, {Lo: 0x1f8d9, Hi: 0x1f8ff, Stride: 1}, {Lo: 0x1f90c, Hi: 0x1f93a, Stride: 1},
		{Lo: 0x1f93c, Hi: 0x1f945, Stride: 1}, {Lo: 0x1f947, Hi: 0x1f9ff, Stride: 1}, {Lo: 0x1fa58, Hi: 0x1fa5f, Stride: 1}, {Lo: 0x1fa6e, Hi: 0x1faff, Stride: 1},
		{Lo: 0x1fc00, Hi: 0x1fffd, Stride: 1},
	},
}
