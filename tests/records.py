"""Records of public problem reports, written for Blokus, as text: the tests of several rooms read them."""

O_A1 = """\
(;GM[Blokus Duo]CA[UTF-8];B[e10,e11,f11,f12,g12];W[h7,i6,i7,j5,j6];B[h9,i9,h10,h11];W[g8])
"""
"""Contact test: four legal plies of Duo; side contact with the other colour is allowed."""

O_A2_A = """\
(;GM[Blokus]CA[UTF-8];1[b18,c18,a19,b19,a20];2[t20];3[t1];4[a1];1[c15,c16,d16,e16,d17];2[r19,s19];3[r2,s2];4[b2,c2]
;1[g13,h13,g14,f15,g15];2[s17,t17,t18];3[q3,q4,q5];4[d3,e3,d4];1[j11,i12,j12,k12,j13];2[p16,q16,r16];3[r6,r7,s7]
;4[f2,g2,h2];1[e10,e11,d12,e12,f12];2[s13,t13,s14,s15];3[q8,q9,r9,r10];4[b5,c5,b6,c6];1[h16,i16,j16,j17,k17]
;2[o12,p12,q12,r12];3[t3,t4,s5,t5];4[d7,b8,c8,d8];1[k7,j8,k8,k9,k10];2[m12,m13,n13,n14];3[s11,t11,s12,t12]
;4[e5,f5,g5,h5];1[f7,g7,f8,f9,g9];2[l14,l15,m15,l16];3[o6,n7,o7,p7];4[i3,i4,j4,j5];1[l18,m18,l19,m19,n19]
;2[n17,o17,n18,o18];3[m8,m9,m10,m11];4[a9,a10,b10,a11];1[l5,m5,n5,o5,l6];2[m20,n20,o20,p20,q20];3[m1,n1,o1,p1,p2]
;4[b12,c12,b13,b14,b15];1[i2,j2,k2,k3,k4];2[o9,p9,n10,o10,n11];3[l2,l3,m3,n3,l4];4[d13,e13,f13,d14,f14]
;1[g20,h20,i20,j20,k20];2[l8,l9,l10,k11,l11];3[q13,r13,p14,q14,r14];4[h10,i10,h11,g12,h12];1[f3,g3,h3,h4]
;2[i8,h9,i9,j9,j10];3[o15,m16,n16,o16,m17];4[i13,i14,j14,k14,j15];1[e1,f1,d2,e2];2[g6,h6,i6,j6,h7]
;3[p17,p18,q18,r18,q19];4[a16,a17,b17,c17,a18];1[b3,c3,b4,c4];3[g1,h1,i1,j1,k1];4[e17,f17,d18,e18,d19]
;1[a5,a6,a7,a8];4[i17,g18,h18,i18,j18];1[b9,c9,d9,c10];1[p6,q6,q7];1[r3,r4,r5];1[r8,s8];1[q2])
"""
"""Finishing bonus: the first colour places everything, its single cell last; no pass is written."""

O_A2_B = O_A2_A.replace(";1[r8,s8];1[q2])", ";1[q2];1[r8,s8])")
"""The same with the last two placements exchanged: the single cell is not the last."""

O_A4_P = """\
(;GM[Blokus Duo]CA[UTF-8];B[d10,e10,f10,d11,f11];W[h3,h4,i4,i5,j5];B[g9,h9,i9,j9,k9];W[l2,l3,k4,l4,l5]
;B[m5,m6,m7,l8,m8];W[e5,f5,g5,g6,h6];B[n9,l10,m10,n10,n11];W[i7,k7,i8,j8,k8];B[k11,j12,k12,l12,m12]
;W[d7,e7,f7,d8,d9];B[e12,e13,e14,f14,g14];W[c3,b4,c4,d4,b5];B[c12,a13,b13,c13,b14];W[d1,e1,e2,e3,f3]
;B[a7,b7,b8,c8,c9];W[g1,h1,i1,j1,k1];B[h11,h12,h13,i13,i14];W[b10,c10,b11,c11,b12];B[c5,d5,c6,d6,e6]
;W[m1,n1,n2,n3,n4];B[g3,e4,f4,g4];W[d12,d13,c14,d14];B[b1,b2,c2,d2,d3];W[a1,a2,a3];B[h2,i2,j2,i3];W[l9,m9]
;B[a9,a10,a11];W[i10,j10,k10,j11];B[n13,m14,n14];W[n8];B[f1,f2];W[];B[j4];W[])
"""
"""One legal move is left, a Z in one orientation; two real passes without cells."""

O_A4_Q = """\
(;GM[Blokus Duo]CA[UTF-8];B[e10,d11,e11,f11,d12];W[i3,j3,k3,j4,j5];B[c9,d9,a10,b10,c10];W[i6,i7,g8,h8,i8]
;B[b6,a7,b7,c7,b8];W[g2,h2,f3,g3,f4];B[g9,i9,g10,h10,i10];W[k6,k7,l7,m7,m8];B[d5,e5,f5,g5,d6];W[m3,n3,n4,n5,n6]
;B[g12,h12,g13,h13,g14];W[d7,e7,f7,c8,d8];B[c2,d2,e2,c3,c4];W[j9,k9,j10,k10,k11];B[c13,b14,c14,d14,e14]
;W[n9,n10,n11,n12,n13];B[j11,j12,k12,k13,l13];W[b4,a5,b5,c5,c6];B[j7,j8,k8,l8,l9];W[i11,i12,i13,j13,i14]
;B[f1,g1,h1,i1,j1];W[a1,a2,b2,a3];B[k2,l2,m2,l3,l4];W[c1,d1,e1];B[h3,h4,i4,i5];W[e9,f9,f10];B[m10,l11,m11,m12]
;W[l14,m14];B[a12,b12,a13];W[d10];B[m5,m6];W[a11,b11,c11,c12];B[k5])
"""
"""One legal move is left, a Z in the mirrored orientation."""

O_A6_OLD = """\
(;GM[Blokus];BLUE[a20][b20][b19];YELLOW[t20];RED[t1];GREEN[a1];BLUE[c18][c17])
"""
"""Old colour words, one value a cell."""

O_A6_NEW = """\
(;GM[Blokus];1[a20,b20,b19];2[t20];3[t1];4[a1];1[c18,c17])
"""
"""The same five placements in the form of today."""

O_A6_PASS = """\
(;GM[Blokus Duo] ;  B [E10,F10] ; W[j5] ; B[] )
"""
"""Blanks around property names, upper case, an empty value as a pass."""

O_A7 = """\
(;GM[Blokus Two-Player]CA[UTF-8];1[a18,b18,c18,a19,a20];2[t17,t18,s19,t19,t20];3[t1,s2,t2,s3,t3];4[a1,a2,b2,a3,a4]
;1[b16,c16,d16,e16,d17];2[r14,s14,s15,r16,s16];3[q4,r4,q5,p6,q6];4[b5,c5,b6,c6,c7];1[e13,e14,f14,f15,g15]
;2[q11,p12,q12,r12,q13];3[l7,m7,n7,o7,m8];4[d8,b9,c9,d9,d10];1[h12,g13,h13,i13,h14];2[o13,m14,n14,o14,m15]
;3[s5,s6,s7,s8,s9];4[a10,a11,b11,c11,b12];1[f18,g18,d19,e19,f19];2[m10,n10,n11,o11,n12];3[i8,j8,k8,i9,k9]
;4[d1,e1,d2,d3,d4];1[h16,i16,j16,h17,i17];2[q9,r9,r10,s10,s11];3[n9,o9,p9,p10,q10];4[f2,f3,g3,h3,h4]
;1[f9,f10,g10,h10,g11];2[k11,l11,k12,l12,k13];3[n3,m4,n4,o4,o5];4[c13,d13,c14,c15,d15];1[k17,k18,k19,j20,k20]
;2[n16,n17,o17,o18,o19];3[i4,i5,j5,k5,l5];4[f6,e7,f7,g7,f8];1[h6,i6,h7,g8,h8];2[q17,q18,q19,q20,r20]
;3[j1,k1,l1,l2,l3];4[i1,i2,j2,j3,k3];1[e4,f4,g4,e5,g5];2[t5,t6,t7,t8,t9];3[q1,r1,p2,q2,p3];4[a13,a14,a15,a16,a17]
;1[l13,j14,k14,l14,l15];2[m18,m19,l20,m20,n20];3[j10,h11,i11,j11,j12];4[e12,f12,g12,f13];1[k6,l6,j7,k7]
;2[j15,k15,k16,l16];3[t10,t11,t12,t13];4[a7,a8];1[l8,l9,m9,l10];2[j17,j18,h19,i19,j19];3[n1,o1];4[g9]
;1[n8,o8,p8,q8,r8];2[d20,e20,f20,g20];3[r11];1[d11,c12,d12];2[b19,c19,b20];1[b13,b14];2[p15,q15];1[d6];2[s4]
;2[r5,r6,q7,r7])
"""
"""Two players, four colours: the sums decide, not the best colour."""

O_A8 = """\
(;GM[Blokus Trigon]CA[UTF-8];1[r15,s15];2[j12])
"""
"""Triangular coordinates."""

O_A9_SKIP = """\
(;GM[Blokus];1[a20];2[t20];4[a1];3[t1])
"""
"""The third colour is passed over though it can move."""

O_A9_CORNER = """\
(;GM[Blokus];1[t20];2[a20])
"""
"""The first two colours begin in each other's corner."""

O_B4 = """\
(;GM[Blokus Duo];B[e10,e11,f11,f12,g12];W[h7,i6,i7,j5,j6];B[h9,i9,h10,h11];W[g8]
;B[f9,g9];W[k4,l4];B[d8,d9];W[m1,m2,m3])
"""
"""An illegal placement in the middle; those behind it would be legal without it."""
